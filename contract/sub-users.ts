import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { permissions, roles, routes } from './route.ts';

const MOST_NAMES = 32;
/** In UTF-8. Tokens carry the names, and proxies bound what a header may hold. */
const LONGEST_NAME_BYTES = 64;
const LONGEST_S = 30 * 24 * 3600;

const common = { method: 'POST', auth: 'admin', errors: 'coded' } as const;

const name = z
  .string()
  .min(1)
  .max(LONGEST_NAME_BYTES)
  .refine(
    (text) => new TextEncoder().encode(text).length <= LONGEST_NAME_BYTES,
    `expected at most ${LONGEST_NAME_BYTES} bytes of UTF-8`,
  )
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'expected no control characters');

/** Names of ours, which are honoured, and names of the customer's own, which are only carried. */
const names = (ours: readonly string[], forWhat: string) =>
  z
    .array(name)
    .max(MOST_NAMES)
    .refine((given) => new Set(given).size === given.length, 'expected each only once')
    .default([])
    .meta({
      description:
        `for ${forWhat}: ${ours.join(', ')}, spelled exactly so, as far as the issuer may give ` +
        'them; any other name is carried and allows nothing here',
    });

const carried = z
  .array(z.string())
  .meta({ description: 'as issued, without those of ours that the issuer may not give any more' });

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
      roles: names(roles, 'what people do'),
      permissions: names(permissions, 'what API keys do'),
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
    body: z.strictObject({ token: z.string().max(16_384) }),
    response: z.discriminatedUnion('valid', [
      z.object({
        valid: z.literal(true),
        tenant_id: z.string(),
        session_id: z.string(),
        sub_user_id: z.string(),
        email: z.string().nullable(),
        display_name: z.string().nullable(),
        roles: carried,
        permissions: carried,
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
