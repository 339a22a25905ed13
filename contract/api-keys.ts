import { z } from 'zod';
import { count, jsonStrings, timestamp } from './fields.ts';
import { permissions, routes } from './route.ts';

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z
    .string()
    .nullable()
    .meta({
      description: 'first characters of the key; null for keys from before these were stored',
      examples: ['svc_sk_1a2b'],
    }),
  last_four: z
    .string()
    .nullable()
    .meta({ description: 'last four characters of the key', examples: ['9f0e'] }),
  permissions: jsonStrings,
  created_by: z
    .string()
    .nullable()
    .meta({
      description:
        'email of the user, or id of the API key, that created it; null: it came with the tenant, or ' +
        'is from before this was stored',
      examples: ['owner@example.com'],
    }),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});

const newKey = z.object({
  id: z.string(),
  name: z.string(),
  permissions: jsonStrings,
  key: z.string(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
});

const MONTH_SECONDS = 30 * 24 * 3600;

const admin = { auth: 'admin', errors: 'text' } as const;
const ofKey = { params: z.object({ id: z.string() }) };

export const apiKeyRoutes = routes({
  listApiKeys: {
    ...admin,
    method: 'GET',
    path: '/api/v1/auth/api-keys/',
    summary: 'List API keys, without the keys themselves',
    response: z.object({ results: z.array(apiKey), count }),
  },
  createApiKey: {
    ...admin,
    method: 'POST',
    path: '/api/v1/auth/api-keys/',
    summary: 'Create an API key; the key is only returned here',
    status: 201,
    body: z.strictObject({
      name: z.string().min(1).max(200),
      permissions: z
        .array(z.enum(permissions))
        .min(1)
        .transform((names) => [...new Set(names)]),
      expires_at: timestamp.optional(),
    }),
    response: newKey,
  },
  rotateApiKey: {
    ...admin,
    ...ofKey,
    method: 'POST',
    path: '/api/v1/auth/api-keys/{id}/rotate/',
    summary: 'Replace an API key; the old one works until the overlap has passed',
    status: 201,
    body: z.strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(MONTH_SECONDS)
        .default(24 * 3600)
        .meta({ description: 'at most 30 days' }),
    }),
    response: newKey.extend({
      replaces: z.object({ id: z.string(), expires_at: timestamp }),
    }),
  },
  revokeApiKey: {
    ...admin,
    ...ofKey,
    method: 'DELETE',
    path: '/api/v1/auth/api-keys/{id}/',
    summary: 'Revoke an API key immediately',
    status: 204,
    response: z.undefined(),
  },
});
