import { z } from 'zod';
import { device } from './fleet.ts';
import { routes } from './route.ts';

export const enrollmentSettings = z.strictObject({
  require_approval: z
    .boolean()
    .meta({ description: 'a device gets no certificates before an admin has approved it' }),
  new_devices_per_hour: z
    .int()
    .min(1)
    .max(100_000)
    .meta({ description: 'unknown devices that one API key may enroll within an hour' }),
});
export type EnrollmentSettings = z.output<typeof enrollmentSettings>;

/** A roll-out of some thousand devices in one morning passes. */
export const defaultEnrollmentSettings: EnrollmentSettings = {
  require_approval: false,
  new_devices_per_hour: 3000,
};

/** A device as those see it who decide about it. */
export const deviceStanding = device.pick({ id: true, hostname: true, user: true, status: true });

const admin = { auth: 'admin', errors: 'text' } as const;
const params = z.object({ id: z.string() });

export const enrollmentRoutes = routes({
  getEnrollmentSettings: {
    ...admin,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/settings/enrollment/',
    summary: 'Whether devices wait for approval, and how many may enroll',
    response: enrollmentSettings,
  },
  putEnrollmentSettings: {
    ...admin,
    method: 'PUT',
    path: '/api/v1/settings/enrollment/',
    summary: 'Replace the enrollment settings; devices that are enrolled keep what they have',
    body: enrollmentSettings,
    response: enrollmentSettings,
  },
  approveDevice: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/devices/{id}/approve/',
    summary: 'Let a device enroll that waits for it, with the key that it asked with',
    params,
    body: z.strictObject({
      key: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'expected the SHA-256 of a public key as hexadecimal')
        .optional()
        .meta({ description: 'the key that is meant: another one that asks meanwhile is not' }),
    }),
    response: deviceStanding,
  },
  revokeDevice: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/devices/{id}/revoke/',
    summary: 'Refuse a device, at once and until it is restored: its certificates end',
    params,
    body: z.strictObject({ reason: z.string().max(500).optional() }),
    response: deviceStanding,
  },
  restoreDevice: {
    ...admin,
    method: 'POST',
    path: '/api/v1/endpoint/devices/{id}/restore/',
    summary: 'Let a revoked device enroll again; what it was issued stays revoked',
    params,
    body: z.strictObject({}),
    response: deviceStanding,
  },
});
