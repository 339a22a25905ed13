import { z } from 'zod';
import { device } from './devices.ts';
import { routes } from './route.ts';

export const enrollmentSettings = z.strictObject({
  require_approval: z
    .boolean()
    .meta({ description: 'devices get certificates only after approval by an admin' }),
  new_devices_per_hour: z
    .int()
    .min(1)
    .max(100_000)
    .meta({ description: 'new devices that one API key may enroll per hour' }),
});
export type EnrollmentSettings = z.output<typeof enrollmentSettings>;

/** The limits are high enough for a rollout of some thousand devices in one morning. */
export const defaultEnrollmentSettings: EnrollmentSettings = {
  require_approval: false,
  new_devices_per_hour: 3000,
};

/** The fields of a device needed to decide on its enrollment. */
export const enrollmentSubject = device.pick({
  id: true,
  hostname: true,
  user: true,
  status: true,
});

const admin = { auth: 'admin', errors: 'text' } as const;
const params = z.object({ id: z.string() });

export const enrollmentRoutes = routes({
  getEnrollmentSettings: {
    ...admin,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/settings/enrollment/',
    summary: 'The enrollment settings: required approval and rate limit',
    response: enrollmentSettings,
  },
  putEnrollmentSettings: {
    ...admin,
    method: 'PUT',
    path: '/api/v1/settings/enrollment/',
    summary: 'Replace the enrollment settings; enrolled devices are not affected',
    body: enrollmentSettings,
    response: enrollmentSettings,
  },
  approveDevice: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/devices/{id}/approve/',
    summary: 'Approve a pending device, for the key of its request',
    params,
    body: z.strictObject({
      key: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'expected the SHA-256 of a public key as hexadecimal')
        .optional()
        .meta({
          description: 'the key to approve; rejects a different key that was requested meanwhile',
        }),
    }),
    response: enrollmentSubject,
  },
  revokeDevice: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/devices/{id}/revoke/',
    summary: 'Revoke a device and its certificates immediately, until it is restored',
    params,
    body: z.strictObject({ reason: z.string().max(500).optional() }),
    response: enrollmentSubject,
  },
  restoreDevice: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/devices/{id}/restore/',
    summary: 'Let a revoked device enroll again; its certificates stay revoked',
    params,
    body: z.strictObject({}),
    response: enrollmentSubject,
  },
});
