import { z } from 'zod';
import {
  count,
  flag,
  page,
  pastTime,
  paging,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
  growingPage,
} from './fields.ts';
import { downloads, exportFormat, MAX_EXPORTED, MAX_SORTED, wholeParam } from './filters.ts';
import { countsOverTime } from './over-time.ts';
import { routes } from './route.ts';

/**
 * The maximum length in characters. The device truncates longer bodies and sets the truncated flag.
 */
export const MAX_CAPTURED_BODY_LENGTH = 256 * 1024;

/** Devices omit further kinds, because the counts are only statistics. */
export const MAX_REDACTED_KINDS = 50;

/** The number of redactions on the device, by kind. */
export const redactionCounts = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,49}$/, 'expected the name of a kind'), count)
  .refine(
    (kinds) => Object.keys(kinds).length <= MAX_REDACTED_KINDS,
    `expected at most ${MAX_REDACTED_KINDS} kinds`,
  );

/** An object on the wire, JSON text internally. */
const redactions = z
  .codec(redactionCounts, z.string(), {
    decode: (kinds) => JSON.stringify(kinds),
    encode: (text) => JSON.parse(text) as Record<string, number>,
  })
  .meta({ description: 'number of redactions on the device, by kind' });

const body = z
  .string()
  .max(MAX_CAPTURED_BODY_LENGTH)
  .nullable()
  .meta({ description: 'redacted text; null if it was missing or not text' });

const contentType = z.string().max(200).nullable();

const exchange = {
  host: z.string().min(1).max(253),
  app_id: z.string().max(100).nullable().meta({ description: 'catalog id of the app, if known' }),
  process: z.string().max(256).nullable(),
  user: z.string().max(256).nullable(),
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/, 'expected a method in capitals')
    .meta({ examples: ['POST'] }),
  path: z
    .string()
    .max(2048)
    .regex(
      /^(?:\/|##[A-Z][A-Z0-9_]*##)(?:[^?#]|##[A-Z][A-Z0-9_]*##)*$/,
      'expected a path that starts with / and has no query',
    )
    .meta({
      description: 'redacted, and without the query, which may contain secrets',
      examples: ['/v1/messages'],
    }),
  status: z.int().min(100).max(599).nullable().meta({ description: 'null: no response' }),
  request_type: contentType,
  response_type: contentType,
  request_bytes: count.meta({ description: 'size as sent, before redaction and truncation' }),
  response_bytes: count,
  request_truncated: flag.meta({ description: 'true: the body is only the beginning' }),
  response_truncated: flag,
  redactions,
  model: z.string().max(200).nullable(),
  provider: z.string().max(100).nullable(),
  tokens_in: count.nullable(),
  tokens_out: count.nullable(),
};

const bodies = { request_body: body, response_body: body };

/** An exchange with a host for which capture is enabled, reported by a device after it ended. */
export const captureReport = z.strictObject({
  id: z.string().min(1).max(64),
  ...exchange,
  started_at: pastTime,
  ended_at: pastTime.nullable(),
  ...bodies,
  refused: z.literal(true).optional().meta({
    description:
      'a policy refused the call: the response is from the device, and no provider was called',
  }),
});
export type CaptureReport = z.output<typeof captureReport>;

/** A program that rejected the certificate of its device, and is therefore passed through. */
export const certificateRefusal = z.strictObject({
  process: z.string().max(256).nullable(),
  app_id: z.string().max(100).nullable().meta({ description: 'catalog id of the app, if known' }),
  host: z.string().min(1).max(253),
  since: pastTime,
});
export type CertificateRefusal = z.output<typeof certificateRefusal>;

/** The maximum number in a heartbeat. */
export const MAX_REFUSALS = 50;

/** The store in which a program looks up trusted certificate authorities. */
export const trustStore = z.enum(['system', 'node', 'python', 'java', 'unknown']);
export type TrustStore = z.output<typeof trustStore>;

/** How much of an app's traffic can be captured on one device, as far as known, and the reason. */
export const captureLevel = z.object({
  app_id: z.string().meta({ description: 'catalog id' }),
  level: z.enum(['content', 'metadata', 'off', 'unknown']),
  reason: z
    .enum([
      'content_seen',
      'refused',
      'own_store',
      'local_server',
      'capture_off',
      'hosts_off',
      'not_seen',
    ])
    .meta({
      description:
        'content_seen: exchanges arrive; refused: the program rejects the certificate; ' +
        'own_store: this kind of program does not use the system trust store; local_server: it serves ' +
        'on this device; hosts_off: capture is disabled for all hosts that it connects to',
    }),
  store: trustStore,
  hosts: z.array(z.string()).meta({ description: 'hosts that the reason applies to' }),
});
export type CaptureLevel = z.output<typeof captureLevel>;

export const capture = z.object({
  id: z.string(),
  device_id: z.string(),
  hostname: z.string(),
  ...exchange,
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  received_at: timestamp,
});

const device = z.string().min(1).max(200);
const app = z.string().min(1).max(256);
const anyDevice = { description: 'null: any device' };
const anyApp = { description: 'catalog id of an app, or the name of a process; null: any' };

/** Assigns captures to an agent. The most specific rule applies. */
const captureAgent = z.strictObject({
  device_id: device.nullable().meta(anyDevice),
  app: app.nullable().meta(anyApp),
  agent_name: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .meta({ description: 'null: no runs are recorded' }),
});

const captureAgentRecord = z.object({
  ...captureAgent.shape,
  hostname: z.string().nullable(),
  updated_at: timestamp,
  updated_by: z.string(),
});

/** The maximum number of captures that a search reads, because no index contains their bodies. */
export const MAX_SEARCHED_CAPTURES = 2000;

const filters = {
  ...range,
  device: z.string().optional(),
  host: z.string().optional(),
  app: z.string().optional(),
  model: z.string().optional(),
  outcome: z.enum(['ok', 'failed', 'none']).optional().meta({
    description: 'HTTP status below 400, from 400 on, or no response',
  }),
  status: wholeParam.meta({ description: 'HTTP status' }),
  search: z.string().max(1000).optional().meta({
    description: 'part of the path or of a redacted body, whatever its case',
  }),
};

/** The fields by which captures can be sorted. Captures without a value come last. */
export const captureSorts = [
  'started_at',
  'host',
  'app',
  'hostname',
  'user',
  'model',
  'tokens',
  'status',
] as const;

const sort = sortBy(captureSorts, '-started_at').meta({
  description:
    '`host`: by host and path; `app`: by catalog id, or else the name of the process; ' +
    '`tokens`: in and out',
});

const incomplete = z.boolean().meta({
  description:
    `true if a search read only the latest ${MAX_SEARCHED_CAPTURES.toLocaleString('en')} captures of the other filters, ` +
    `or if, by another field than the time, only the latest ${MAX_SORTED.toLocaleString('en')} are sorted`,
});

// Captures contain what users wrote, so viewers of the fleet may not read them.
const session = { auth: 'session', role: 'analyst', errors: 'text' } as const;

export const captureRoutes = routes({
  listCaptures: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/captures/',
    summary: 'Captured exchanges without their bodies, newest first by default',
    query: z.object({ ...paging, ...filters, sort }).check(startBeforeEnd),
    response: growingPage(capture).extend({ incomplete }),
  },
  summarizeCaptures: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/captures/summary/',
    summary: 'Number of the captures that a filter matches, by the time at which they started',
    query: z.object(filters).check(startBeforeEnd),
    response: countsOverTime('captures'),
  },
  exportCaptures: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/captures/export/',
    summary: `Download the captures that a filter matches without their bodies, at most ${MAX_EXPORTED.toLocaleString('en')}`,
    query: z.object({ ...filters, sort, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
  getCapture: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/captures/{id}/',
    summary: 'One captured exchange with its redacted bodies',
    params: z.object({ id: z.string() }),
    response: capture.extend({
      ...bodies,
      run_id: z.int().nullable().meta({
        description: 'the run with its call: recorded from the capture, or reported by a client',
      }),
    }),
  },
  listCaptureAgents: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/capture-agents/',
    summary: 'List the agents assigned to captured runs',
    query: z.object(paging),
    response: page(captureAgentRecord),
  },
  putCaptureAgent: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: '/api/v1/endpoint/capture-agents/',
    summary:
      'Assign an agent to an app, a device or both; applies to captures received from now on',
    body: captureAgent,
    response: captureAgentRecord,
    errorStatuses: [404],
  },
  deleteCaptureAgent: {
    ...session,
    role: 'admin',
    method: 'DELETE',
    path: '/api/v1/endpoint/capture-agents/',
    summary: 'Remove the agent assigned to an app, a device or both',
    query: z.strictObject({
      device_id: device.optional().meta({ description: 'default: the assignment for any device' }),
      app: app.optional().meta({ description: 'default: the assignment for any app' }),
    }),
    status: 204,
    response: z.undefined(),
    errorStatuses: [404],
  },
});
