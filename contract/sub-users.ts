import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { permissions, routes } from './route.ts';

/** What somebody of a customer's own users may be here; owners are users of the console. */
export const subUserRoles = ['viewer', 'analyst', 'admin'] as const;
export type SubUserRole = (typeof subUserRoles)[number];

const LONGEST_S = 30 * 24 * 3600;

const common = { method: 'POST', auth: 'admin', errors: 'coded' } as const;

const distinct = <T extends string>(of: readonly [T, ...T[]]) =>
  z
    .array(z.enum(of))
    .max(of.length)
    .refine((given) => new Set(given).size === given.length, 'expected each only once')
    .default([]);

export const subUserRoutes = routes({
  issueSubUserToken: {
    ...common,
    path: '/svc/v1/identity/sub-users/token/',
    summary: 'Issue a token for one of your own users, with roles and permissions',
    status: 201,
    body: z.strictObject({
      sub_user_id: z.string().min(1).max(200),
      email: z.email().max(320).nullable().optional(),
      display_name: z.string().max(200).nullable().optional(),
      roles: distinct(subUserRoles).meta({ description: 'for what people do' }),
      permissions: distinct(permissions).meta({ description: 'for what API keys do' }),
      expires_in: z
        .int()
        .min(1)
        .max(LONGEST_S)
        .default(3600)
        .meta({ description: 'seconds, at most 30 days' }),
    }),
    response: z.object({ token: z.string(), session_id: z.string(), expires_at: timestamp }),
  },
  validateSubUserToken: {
    ...common,
    path: '/svc/v1/identity/sub-users/validate/',
    summary: 'Is this token valid, and whose is it?',
    body: z.strictObject({ token: z.string().max(8192) }),
    response: z.discriminatedUnion('valid', [
      z.object({
        valid: z.literal(true),
        tenant_id: z.string(),
        session_id: z.string(),
        sub_user_id: z.string(),
        email: z.string().nullable(),
        display_name: z.string().nullable(),
        roles: z.array(z.string()),
        permissions: z.array(z.string()),
        issued_at: timestamp,
        expires_at: timestamp,
      }),
      z.object({ valid: z.literal(false) }),
    ]),
  },
  revokeSubUser: {
    ...common,
    path: '/svc/v1/identity/sub-users/{sub_user_id}/revoke/',
    summary: 'End every session of a sub-user, at once; answers how many there were',
    params: z.object({ sub_user_id: z.string() }),
    response: z.object({ revoked: count }),
  },
});
