import { z } from 'zod';
import { count, flag, page, pastTime, paging, range, startBeforeEnd, timestamp } from './fields.ts';
import { growingPage } from './growing-page.ts';
import { routes } from './route.ts';

/** Characters of one body; a longer one is cut by the device, which then says so. */
export const LONGEST_CAPTURED_BODY = 256 * 1024;

/** A device leaves further ones out: they are only counts. */
export const MOST_REDACTED_KINDS = 50;

/** How many of each kind the device replaced before anything left it. */
export const redactionCounts = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,49}$/, 'expected a kind'), count)
  .refine(
    (kinds) => Object.keys(kinds).length <= MOST_REDACTED_KINDS,
    `expected at most ${MOST_REDACTED_KINDS} kinds`,
  );

/** Their JSON text inside. */
const redactions = z
  .codec(redactionCounts, z.string(), {
    decode: (kinds) => JSON.stringify(kinds),
    encode: (text) => JSON.parse(text) as Record<string, number>,
  })
  .meta({ description: 'what the device redacted: kind to count' });

const body = z
  .string()
  .max(LONGEST_CAPTURED_BODY)
  .nullable()
  .meta({ description: 'redacted text; null where there was none, or it was not text' });

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
      'expected a path that begins with / and has no query',
    )
    .meta({
      description: 'redacted, and without the query, which may hold secrets',
      examples: ['/v1/messages'],
    }),
  status: z.int().min(100).max(599).nullable().meta({ description: 'null: no answer came' }),
  request_type: contentType,
  response_type: contentType,
  request_bytes: count.meta({ description: 'as sent, before redaction and cutting' }),
  response_bytes: count,
  request_truncated: flag.meta({ description: 'is the body shown only the beginning?' }),
  response_truncated: flag,
  redactions,
  model: z.string().max(200).nullable(),
  provider: z.string().max(100).nullable(),
  tokens_in: count.nullable(),
  tokens_out: count.nullable(),
};

const bodies = { request_body: body, response_body: body };

/** One exchange with a host that capture is on for, as a device reports it once it is over. */
export const captureReport = z.strictObject({
  id: z.string().min(1).max(64),
  ...exchange,
  started_at: pastTime,
  ended_at: pastTime.nullable(),
  ...bodies,
  refused: z.literal(true).optional().meta({
    description:
      'a policy refused the call: the answer is the device’s, and no provider was called',
  }),
});
export type CaptureReport = z.output<typeof captureReport>;

/** A program that was shown a certificate of its device, did not accept it, and is passed through. */
export const certificateRefusal = z.strictObject({
  process: z.string().max(256).nullable(),
  app_id: z.string().max(100).nullable().meta({ description: 'catalog id of the app, if known' }),
  host: z.string().min(1).max(253),
  since: pastTime,
});
export type CertificateRefusal = z.output<typeof certificateRefusal>;

/** As many as a heartbeat carries. */
export const MOST_REFUSALS = 50;

/** Where a program looks for the authorities that it trusts. */
export const trustStore = z.enum(['system', 'node', 'python', 'java', 'unknown']);
export type TrustStore = z.output<typeof trustStore>;

/** How much of an app can be captured on one device, as far as is known, and why. */
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
        'content_seen: exchanges arrive; refused: the program does not accept the certificate; ' +
        'own_store: its kind of program is known not to ask the system; local_server: it serves ' +
        'on this computer; hosts_off: capture is on for none of the hosts that it reaches',
    }),
  store: trustStore,
  hosts: z.array(z.string()).meta({ description: 'those that the reason is about' }),
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

/** Of which agent the runs are that are made of captures. The most specific counts. */
const captureAgent = z.strictObject({
  device_id: device.nullable().meta(anyDevice),
  app: app.nullable().meta(anyApp),
  agent_name: z.string().min(1).max(200).nullable().meta({ description: 'null: no runs are made' }),
});

const shownAgent = z.object({
  ...captureAgent.shape,
  hostname: z.string().nullable(),
  updated_at: timestamp,
  updated_by: z.string(),
});

// They hold what people wrote: whoever only watches the fleet does not read them.
const session = { auth: 'session', role: 'analyst', errors: 'text' } as const;

export const captureRoutes = routes({
  listCaptures: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/captures/',
    summary: 'Captured exchanges without their bodies, newest first',
    query: z
      .object({
        ...paging,
        ...range,
        device: z.string().optional(),
        host: z.string().optional(),
        app: z.string().optional(),
      })
      .check(startBeforeEnd),
    response: growingPage(capture),
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
        description: 'the run with its call: made of it, or the one on which a client told of it',
      }),
    }),
  },
  listCaptureAgents: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/capture-agents/',
    summary: 'Of which agents the runs are that are made of captures',
    query: z.object(paging),
    response: page(shownAgent),
  },
  putCaptureAgent: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: '/api/v1/endpoint/capture-agents/',
    summary: 'Set it for an app, a device or both; it holds for captures that come from now on',
    body: captureAgent,
    response: shownAgent,
    refuses: [404],
  },
  deleteCaptureAgent: {
    ...session,
    role: 'admin',
    method: 'DELETE',
    path: '/api/v1/endpoint/capture-agents/',
    summary: 'Set it no longer for an app, a device or both',
    query: z.strictObject({
      device_id: device.optional().meta({ description: 'without it: what is set for any device' }),
      app: app.optional().meta({ description: 'without it: what is set for any app' }),
    }),
    status: 204,
    response: z.undefined(),
    refuses: [404],
  },
});
