import { z } from 'zod';
import {
  count,
  growingPage,
  paging,
  pastTime,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
} from './fields.ts';
import { downloads, exportFormat, MAX_EXPORTED, MAX_SORTED } from './filters.ts';
import { countsOverTime } from './over-time.ts';
import { routes } from './route.ts';

/**
 * A network flow, as reported by a device when it opens, while it is open and after it has ended,
 * always with the same id. Byte counts are null if the system does not provide them.
 */
export const flowReport = z.strictObject({
  id: z.string().min(1).max(64),
  app_id: z.string().max(100).nullable().meta({ description: 'catalog id of the app, if known' }),
  process: z.string().max(256).nullable(),
  path: z.string().max(4096).nullable(),
  pid: z.int().min(0).nullable(),
  user: z.string().max(256).nullable(),
  host: z.string().max(253).nullable(),
  address: z.string().max(64),
  port: z.int().min(0).max(65535),
  protocol: z.enum(['tcp', 'udp']),
  started_at: pastTime,
  ended_at: pastTime.nullable(),
  bytes_in: count.nullable(),
  bytes_out: count.nullable(),
});
export type FlowReport = z.output<typeof flowReport>;

/** A time range with missing flows. The device does not know which or how many. */
export const observationGap = z.strictObject({
  reason: z.enum(['not_running', 'dropped']).meta({
    description:
      'not_running: from the last poll of an agent that ended to the first of the next; ' +
      'dropped: reports of this time were made, and discarded',
  }),
  started_at: pastTime,
  ended_at: pastTime,
});
export type ObservationGap = z.output<typeof observationGap>;

export const flow = z.object({
  ...flowReport.shape,
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  device_id: z.string(),
  hostname: z.string(),
});

/** The maximum number of flows that are grouped at once, and of groups that are listed. */
export const MAX_GROUPED = 20_000;
export const MAX_FLOW_GROUPS = 500;

const flowGroup = z.object({
  device_id: z.string(),
  hostname: z.string(),
  process: z.string().nullable(),
  host: z.string().nullable(),
  address: z.string().nullable().meta({ description: 'null for flows to a host' }),
  port: z.int(),
  protocol: z.enum(['tcp', 'udp']),
  flow_count: count,
  open_count: count,
  bytes_in: z.number().nullable(),
  bytes_out: z.number().nullable(),
  first_started: timestamp,
  last_started: timestamp,
});

const filters = {
  device: z.string().optional(),
  host: z.string().optional(),
  process: z.string().optional(),
  known_host: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true: only flows to AI hosts' }),
  ...range,
};

/** The fields by which flows can be sorted. Flows without a value come last. */
export const flowSorts = [
  'started_at',
  'hostname',
  'process',
  'user',
  'host',
  'bytes_in',
  'bytes_out',
  'duration',
] as const;

const sort = sortBy(flowSorts, '-started_at').meta({
  description: '`host`: the address of flows without one; `duration`: of open flows, until now',
});

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

export const flowRoutes = routes({
  listFlows: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/flows/',
    summary: 'List network flows, newest first by default',
    query: z.object({ ...paging, ...filters, sort }).check(startBeforeEnd),
    response: growingPage(flow).extend({
      incomplete: z.boolean().meta({
        description: `true if, by another field than the time, only the latest ${MAX_SORTED.toLocaleString('en')} flows of the filter are sorted`,
      }),
    }),
  },
  summarizeFlows: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/flows/summary/',
    summary: 'Number of the flows that a filter matches, by the time at which they started',
    query: z.object(filters).check(startBeforeEnd),
    response: countsOverTime('flows'),
  },
  groupFlows: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/flows/groups/',
    summary:
      'The latest flows that a filter matches, those of one device, process and endpoint as one row',
    query: z.object(filters).check(startBeforeEnd),
    response: z.object({
      results: z.array(flowGroup).meta({
        description: `most flows first, at most ${MAX_FLOW_GROUPS}`,
      }),
      group_count: count,
      flow_count: count.meta({ description: 'flows in the groups' }),
      complete: z.boolean().meta({
        description: `false: only the latest ${MAX_GROUPED.toLocaleString('en')} flows are grouped`,
      }),
    }),
  },
  exportFlows: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/flows/export/',
    summary: `Download the flows that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}`,
    query: z.object({ ...filters, sort, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
});
