import { z } from 'zod';
import { count, jsonObject, range, sortBy, timestamp, wholeNumber } from './fields.ts';
import { downloads, exportFormat, MAX_EXPORTED, MAX_SORTED } from './filters.ts';
import { countsOverTime } from './over-time.ts';
import { routes } from './route.ts';

export const actorTypes = ['user', 'agent', 'system'] as const;
export const actorType = z
  .enum(actorTypes)
  .meta({ description: 'a person, a program with an API key, or the service itself' });

export const auditEntry = z.object({
  id: z.string(),
  sequence: z.int().meta({ description: 'position in the log, without gaps' }),
  actor_type: actorType,
  actor_id: z.string(),
  action: z.string().meta({ examples: ['policy.update'] }),
  resource_type: z.string(),
  resource_id: z.string(),
  metadata: jsonObject.meta({
    description: 'the resource `before` and `after`, and further details; no secrets',
  }),
  ip: z.string().nullable(),
  created_at: timestamp,
  hash: z.string().meta({ description: 'hash of the entry and the previous one' }),
});

export const exportFormats = ['json', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const auditExport = z.object({
  export_id: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  download_url: z
    .string()
    .nullable()
    .meta({ description: 'link that works without a key for an hour; null until completed' }),
  format: z.enum(exportFormats),
  entry_count: count.meta({ description: 'entries in the file so far' }),
  error: z.string().nullable().meta({ description: 'reason of the failure' }),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
  expires_at: timestamp.meta({ description: 'when the file is deleted' }),
});

/** The period `start_date` ≤ time < `end_date`, to be used with `.check(startBeforeEnd)`. */
const dates = { start_date: range.start, end_date: range.end };

const startBeforeEnd = z.refine<{
  start_date?: number | undefined;
  end_date?: number | undefined;
}>(
  ({ start_date, end_date }) =>
    start_date === undefined || end_date === undefined || start_date <= end_date,
  { path: ['start_date'], error: 'expected a time not after `end_date`' },
);

const MAX_PAGE_SIZE = 1000;

const filters = {
  ...dates,
  actor_type: actorType.optional(),
  action: z
    .string()
    .regex(/^[^*]+\*?$|^\*$/, 'expected an action, or a prefix followed by `*`')
    .optional()
    .meta({ description: 'an action, or a prefix followed by `*`, such as `policy.*`' }),
  actor: z.string().max(200).optional().meta({
    description: 'id of an actor, or part of the email of a user or the name of an API key',
  }),
  resource: z
    .string()
    .max(200)
    .optional()
    .meta({
      description:
        'id of an object, or part of the name of a user, API key, policy, prompt, device, ' +
        'inventory rule or saved view that exists',
    }),
};

/** The fields by which entries can be sorted. Entries without a value come last. */
export const auditSorts = ['created_at', 'action', 'actor', 'resource', 'ip'] as const;

const sort = sortBy(auditSorts, '-created_at').meta({
  description:
    '`actor`: by the email of a user, the name of an API key, or else the id; ' +
    '`resource`: by type and id',
});

const admin = { auth: 'admin', errors: 'coded' } as const;
const oneExport = z.object({ export_id: z.string() });

export const auditRoutes = routes({
  listAuditEntries: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/audit/',
    summary: 'List audit entries: administrative changes and sign-ins, newest first by default',
    query: z
      .object({
        ...filters,
        sort,
        limit: wholeNumber(1)
          .prefault(100)
          .transform((limit) => Math.min(limit, MAX_PAGE_SIZE)),
        offset: wholeNumber(0).prefault(0),
      })
      .check(startBeforeEnd),
    response: z.object({
      entries: z.array(auditEntry),
      count,
      count_exact: z.boolean().meta({ description: 'false: `count` is a lower bound' }),
      limit: z.int(),
      offset: z.int(),
      incomplete: z.boolean().meta({
        description: `true if, by another field than the time, only the latest ${MAX_SORTED.toLocaleString('en')} entries of the filter are sorted`,
      }),
    }),
  },
  summarizeAuditEntries: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/audit/entries/summary/',
    summary: 'Number of the audit entries that a filter matches, over time',
    query: z.object(filters).check(startBeforeEnd),
    response: countsOverTime('entries'),
  },
  exportAuditEntries: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/audit/entries/export/',
    summary: `Download the audit entries that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}`,
    query: z.object({ ...filters, sort, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
  startAuditExport: {
    ...admin,
    method: 'POST',
    path: '/svc/v1/audit/export/',
    summary: 'Start an export of the log to a file, in the order of the log',
    addOn: 'audit_export',
    body: z
      .strictObject({ ...dates, format: z.enum(exportFormats).default('json') })
      .check(startBeforeEnd),
    status: 202,
    response: auditExport,
  },
  findAuditExport: {
    ...admin,
    method: 'GET',
    path: '/svc/v1/audit/export/{export_id}/',
    summary: 'The status of an export, and the download link of its file',
    addOn: 'audit_export',
    params: oneExport,
    response: auditExport,
  },
  downloadAuditExport: {
    auth: 'none',
    errors: 'coded',
    method: 'GET',
    path: '/svc/v1/audit/export/{export_id}/download/',
    summary: 'Download an exported file with the link of the export',
    addOn: 'audit_export',
    params: oneExport,
    query: z.object({
      tenant: z.string(),
      expires: wholeNumber(1).meta({ description: 'seconds since 1970' }),
      signature: z.string(),
    }),
    downloads: ['application/json', 'text/csv', 'application/x-ndjson'],
    response: z.string().meta({ examples: ['[]'] }),
  },
});
