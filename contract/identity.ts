import { z } from 'zod';
import { jsonStrings, timestamp } from './fields.ts';
import { permissions, roles, routes } from './route.ts';

export const user = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  tenant: z.object({ id: z.string(), name: z.string() }),
});

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  permissions: jsonStrings,
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
});

export const identityRoutes = routes({
  login: {
    method: 'POST',
    path: '/api/v1/auth/login/',
    summary: 'Sign in: sets the session cookie and answers a token usable as bearer',
    auth: 'none',
    errors: 'text',
    refuses: [401],
    body: z.strictObject({ email: z.string().max(320), password: z.string().max(1024) }),
    response: z.object({ token: z.string(), expires_at: timestamp, user }),
  },
  logout: {
    method: 'POST',
    path: '/api/v1/auth/logout/',
    summary: 'End this session',
    auth: 'session',
    errors: 'text',
    status: 204,
    response: z.undefined(),
  },
  me: {
    method: 'GET',
    path: '/api/v1/auth/me/',
    summary: 'Who is signed in',
    auth: 'session',
    errors: 'text',
    response: user,
  },
  listApiKeys: {
    method: 'GET',
    path: '/api/v1/auth/api-keys/',
    summary: 'List API keys; the keys themselves are never shown again',
    auth: 'session',
    role: 'admin',
    errors: 'text',
    response: z.object({ results: z.array(apiKey), count: z.int() }),
  },
  createApiKey: {
    method: 'POST',
    path: '/api/v1/auth/api-keys/',
    summary: 'Create an API key; this answer is the only time it is shown',
    auth: 'session',
    role: 'admin',
    errors: 'text',
    status: 201,
    body: z.strictObject({
      name: z.string().min(1).max(200),
      permissions: z.array(z.enum(permissions)).min(1),
      expires_at: timestamp.optional(),
    }),
    response: z.object({
      id: z.string(),
      name: z.string(),
      permissions: jsonStrings,
      key: z.string(),
      created_at: timestamp,
    }),
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/api/v1/auth/api-keys/{id}/',
    summary: 'Revoke an API key at once',
    auth: 'session',
    role: 'admin',
    errors: 'text',
    params: z.object({ id: z.string() }),
    status: 204,
    response: z.undefined(),
  },
});
