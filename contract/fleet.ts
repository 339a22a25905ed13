import { z } from 'zod';
import {
  count,
  flag,
  jsonOf,
  jsonStrings,
  page,
  paging,
  pastTime,
  range,
  sortBy,
  timestamp,
} from './fields.ts';
import { currentPause, pauseRecord } from './capture-pauses.ts';
import { captureLevel, certificateRefusal } from './captures.ts';
import { growingPage } from './growing-page.ts';
import { guardFields } from './guard.ts';
import { routes } from './route.ts';

export const device = z.object({
  id: z.string(),
  hostname: z.string(),
  os: z.string(),
  os_version: z.string(),
  agent_version: z.string(),
  user: z.string(),
  user_group: z.string().nullable(),
  status: z.enum(['pending', 'active', 'revoked']),
  online: z.boolean(),
  enrolled_at: timestamp.meta({
    description: 'time of the last completed enrollment; before it, time of the first request',
  }),
  last_seen: timestamp,
  config_version: z.int().meta({ description: 'config version that this device should apply' }),
  applied_version: z.int().meta({ description: 'config version that it last acknowledged' }),
  capture_pause: currentPause.nullable().meta({
    description: 'the current pause of capture by its user, as last reported',
  }),
});

/** Kinds of apps whose connections and calls can be attributed: Guard has a layer for each. */
export const programKinds = [
  'desktop_app',
  'cli',
  'editor_extension',
  'mcp_server',
  'local_model_server',
] as const;

/** The other kinds are loaded by programs: they extend them, instruct them, or are run by them. */
export const appKinds = [
  ...programKinds,
  'browser_extension',
  'built_in_feature',
  'plugin',
  'instruction_file',
  'skill',
  'hook',
  'sub_agent',
  'local_model',
] as const;
export type AppKind = (typeof appKinds)[number];

/** An AI app, as reported by a device. Environment variables: names only, never values. */
export const appReport = z.strictObject({
  kind: z.enum(appKinds),
  name: z.string().min(1).max(200),
  catalog_id: z.string().max(100).nullable(),
  version: z.string().max(100).nullable(),
  path: z.string().max(4096),
  user: z.string().max(256).nullable(),
  confidence: z.number().min(0).max(1),
  evidence: z.array(z.string().max(1000)).max(20),
  risk_flags: z.array(z.string().max(100)).max(20),
});
export type AppReport = z.output<typeof appReport>;

/** A place where apps may be missing in a report: apps found there before are not removed. */
export const notRead = z.strictObject({
  kind: z.enum(appKinds).nullable().meta({ description: 'null: any' }),
  path: z.string().max(4096).nullable().meta({
    description: 'a file; with a trailing / everything below a folder; null: anywhere',
  }),
  reason: z.string().min(1).max(500),
});
export type NotRead = z.output<typeof notRead>;

// Reports are strict, so that nothing unplanned leaves a device; responses return the stored row.
export const app = z.object({
  ...appReport.shape,
  id: z.string(),
  device_id: z.string(),
  hostname: z.string(),
  group_id: z.string().meta({ description: 'id of the app across all devices' }),
  evidence: jsonStrings,
  risk_flags: jsonStrings,
  first_seen: timestamp,
  last_seen: timestamp,
  present: flag.meta({ description: 'true: the latest scan found it' }),
  last_known: z
    .string()
    .nullable()
    .meta({
      description:
        'why it counts as present although the latest scan did not find it: its file was not read, ' +
        'or the report was full; null: the scan found it',
    }),
});

const countedVersions = z.array(z.object({ version: z.string(), device_count: count }));
const countedFlags = z.array(z.object({ flag: z.string(), device_count: count }));

/** An app across the fleet. Counts are of devices on which the latest scan found it. */
export const appGroup = z.object({
  id: z.string(),
  kind: z.enum(appKinds),
  name: z.string(),
  catalog_id: z.string().nullable(),
  device_count: count,
  gone_count: count.meta({ description: 'devices that no longer have it' }),
  user_count: count.meta({ description: 'number of distinct user names' }),
  version_count: count,
  oldest_version: z.string().nullable(),
  newest_version: z.string().nullable(),
  risk_flags: jsonOf(countedFlags).meta({ description: 'by number of devices, highest first' }),
  first_seen: timestamp.meta({ description: 'when the first device in the fleet reported it' }),
  last_seen: timestamp,
});

/**
 * A network flow, as reported by a device: when it opens, while it lasts and once it has ended,
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

/** A time range with missing flows; the device does not know which or how many. */
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

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

export const fleetRoutes = routes({
  listDevices: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/devices/',
    summary: 'List devices, last seen first',
    query: z.object({ ...paging, search: z.string().optional() }),
    response: page(device),
  },
  getDevice: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/devices/{id}/',
    summary: 'One device with its identity and effective configuration',
    params: z.object({ id: z.string() }),
    response: device.extend({
      effective_config: z.object(guardFields.shape),
      identity: z
        .object({ serial: z.string(), expires_at: timestamp })
        .nullable()
        .meta({ description: 'null if it has no valid certificate' }),
      waiting: z
        .object({
          key: z.string().meta({ description: 'SHA-256' }),
          since: timestamp,
          hostname: z.string(),
          user: z.string(),
          os: z.string(),
          os_version: z.string(),
          address: z.string(),
        })
        .nullable()
        .meta({
          description:
            'a pending enrollment request for this device: its key, the reported ' +
            'properties, and the address it came from',
        }),
      queued: count.meta({ description: 'reports queued on the device at its last heartbeat' }),
      dropped: count.meta({ description: 'reports dropped since enrollment' }),
      problems: jsonStrings.meta({ description: 'problems last reported by the agent' }),
      not_observed: z
        .array(z.object({ ...observationGap.shape, started_at: timestamp, ended_at: timestamp }))
        .meta({ description: 'time ranges with missing flows, latest first, at most 100' }),
      certificate_refusals: z
        .array(z.object({ ...certificateRefusal.shape, since: timestamp }))
        .meta({ description: 'programs that reject its certificates, as last reported' }),
      capture_levels: z.array(captureLevel).meta({
        description: 'capture levels of the catalog apps found by the latest scan',
      }),
      pauses: z
        .array(pauseRecord)
        .meta({ description: 'capture pauses, latest first, at most 100' }),
      app_count: count,
      flow_count: count,
    }),
  },
  listApps: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/apps/',
    summary: 'List AI apps found on devices',
    query: z.object({
      ...paging,
      device: z.string().optional(),
      group: z.string().optional().meta({ description: 'id of an app across the fleet' }),
      kind: z.enum(appKinds).optional(),
      version: z.string().optional(),
      present: z.enum(['true', 'false']).optional().meta({
        description: 'whether the latest scan of its device found it',
      }),
      search: z.string().optional(),
    }),
    response: page(app),
  },
  listAppGroups: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/app-groups/',
    summary: 'List AI apps across the fleet, with device counts by version',
    query: z.object({
      ...paging,
      kind: z.enum(appKinds).optional(),
      risk_flag: z.string().min(1).max(100).optional(),
      search: z
        .string()
        .optional()
        .meta({ description: 'substring of the name or the catalog id' }),
      new_since: range.start.meta({ description: 'first seen in the fleet at this time or later' }),
      version_below: z
        .string()
        .max(100)
        .regex(/\d/, 'expected a version, with at least one digit')
        .optional()
        .meta({ description: 'only apps with an older version on some device' }),
      present: z.enum(['true', 'false']).optional().meta({
        description: 'false: only apps that no device has any more',
      }),
      sort: sortBy(
        ['device_count', 'user_count', 'name', 'first_seen', 'last_seen'],
        '-device_count',
      ),
    }),
    response: page(appGroup),
  },
  getAppGroup: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/app-groups/{id}/',
    summary: 'One app across the fleet with all its versions; for its devices, use apps/?group=',
    params: z.object({ id: z.string() }),
    response: appGroup.extend({
      versions: jsonOf(countedVersions).meta({ description: 'newest first, at most 200' }),
    }),
  },
  listFlows: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/flows/',
    summary: 'List network flows, newest first',
    query: z.object({
      ...paging,
      device: z.string().optional(),
      host: z.string().optional(),
      process: z.string().optional(),
      known_host: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'true: only flows to AI hosts' }),
    }),
    response: growingPage(flow),
  },
});

export type DeviceDetail = z.output<typeof fleetRoutes.getDevice.response>;
