import { z } from 'zod';
import { count, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

const kinds = ['user', 'group'] as const;

/** The limits of an end user, or of each end user in a group. */
const limits = z.strictObject({
  monthly_budget: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .meta({ description: 'USD per calendar month (UTC); null or 0: no limit' }),
  requests_per_minute: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .meta({ description: 'null: no limit' }),
});

export const endUserLimits = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  monthly_budget: z.number().nullable(),
  requests_per_minute: count.nullable(),
  updated_at: timestamp,
});

const admin = { auth: 'admin', permission: 'policies:write', errors: 'coded' } as const;
const path = z.object({ kind: z.enum(kinds), id: z.string().min(1).max(200) });

export const endUserRoutes = routes({
  listEndUserLimits: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/end-user-limits/',
    summary: 'List the limits of end users and groups, which the end-user policies enforce',
    query: z.object({ kind: z.enum(kinds).optional(), ...paging }),
    response: page(endUserLimits),
  },
  putEndUserLimits: {
    ...admin,
    method: 'PUT',
    path: '/svc/v1/end-user-limits/{kind}/{id}/',
    summary: 'Set the limits of an end user or a group',
    params: path,
    body: limits,
    response: endUserLimits,
  },
  deleteEndUserLimits: {
    ...admin,
    method: 'DELETE',
    path: '/svc/v1/end-user-limits/{kind}/{id}/',
    summary: 'Remove the limits of an end user or a group',
    params: path,
    status: 204,
    response: z.undefined(),
  },
});
