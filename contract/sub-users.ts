import { z } from 'zod';
import { count, timestamp } from './fields.ts';
import { permissions, roles, routes } from './route.ts';

const MAX_NAMES = 32;
/**
 * The maximum length in bytes of UTF-8. Names are part of tokens, and proxies limit the size of
 * headers.
 */
const MAX_NAME_BYTES = 64;
const MAX_S = 30 * 24 * 3600;

const common = { method: 'POST', auth: 'admin', errors: 'coded' } as const;

const name = z
  .string()
  .min(1)
  .max(MAX_NAME_BYTES)
  .refine(
    (text) => new TextEncoder().encode(text).length <= MAX_NAME_BYTES,
    `expected at most ${MAX_NAME_BYTES} bytes of UTF-8`,
  )
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'expected no control characters');

/**
 * Built-in names take effect in this product. The customer's own names are only stored in the
 * token.
 */
const names = (builtIn: readonly string[], effect: string) =>
  z
    .array(name)
    .max(MAX_NAMES)
    .refine((names) => new Set(names).size === names.length, 'expected no duplicates')
    .default([])
    .meta({
      description:
        `${effect}: ${builtIn.join(', ')}, case-sensitive, limited to those that the issuer may ` +
        'grant; other names are stored in the token without effect',
    });

const issuedNames = z
  .array(z.string())
  .meta({ description: 'as issued, without built-in names that the issuer may no longer grant' });

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
      roles: names(roles, 'console roles'),
      permissions: names(permissions, 'API key permissions'),
      expires_in: z
        .int()
        .min(1)
        .max(MAX_S)
        .default(3600)
        .meta({ description: 'seconds, at most 30 days' }),
    }),
    response: z.object({ token: z.string(), session_id: z.string(), expires_at: timestamp }),
  },
  validateSubUserToken: {
    ...common,
    path: '/svc/v1/identity/sub-users/validate/',
    summary: 'Validate a token, and return its sub-user',
    body: z.strictObject({ token: z.string().max(16_384) }),
    response: z.discriminatedUnion('valid', [
      z.object({
        valid: z.literal(true),
        tenant_id: z.string(),
        session_id: z.string(),
        sub_user_id: z.string(),
        email: z.string().nullable(),
        display_name: z.string().nullable(),
        roles: issuedNames,
        permissions: issuedNames,
        issued_at: timestamp,
        expires_at: timestamp,
      }),
      z.object({ valid: z.literal(false) }),
    ]),
  },
  revokeSubUser: {
    ...common,
    path: '/svc/v1/identity/sub-users/{sub_user_id}/revoke/',
    summary: 'End all sessions of a sub-user immediately; returns their number',
    params: z.object({ sub_user_id: z.string() }),
    response: z.object({ revoked: count }),
  },
});
