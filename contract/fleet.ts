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
import { currentPause, shownPause } from './capture-pauses.ts';
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
    description:
      'when it was last given certificates by enrolling; until then, when it first asked',
  }),
  last_seen: timestamp,
  config_version: z.int().meta({ description: 'the version that this device should run' }),
  applied_version: z.int().meta({ description: 'the version that it last acknowledged' }),
  capture_pause: currentPause.nullable().meta({
    description: 'while the person at it has paused capture, as it last said',
  }),
});

/** Kinds of apps whose connections and calls can be told apart: Guard has a layer for each. */
export const programKinds = [
  'desktop_app',
  'cli',
  'editor_extension',
  'mcp_server',
  'local_model_server',
] as const;

/** The rest is what programs load: it extends them, instructs them, or is run by them. */
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

/** One AI app as a device reports it. Environment variables: names only, never values. */
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

/** From where apps may be missing in a report: what was found there before is not gone. */
export const notRead = z.strictObject({
  kind: z.enum(appKinds).nullable().meta({ description: 'null: any' }),
  path: z.string().max(4096).nullable().meta({
    description: 'a file; with / at its end all that is below a folder; null: anywhere',
  }),
  reason: z.string().min(1).max(500),
});
export type NotRead = z.output<typeof notRead>;

// Reports are strict, so that nothing unplanned leaves a device; answers take what the row has.
export const app = z.object({
  ...appReport.shape,
  id: z.string(),
  device_id: z.string(),
  hostname: z.string(),
  group_id: z.string().meta({ description: 'of the same app on all devices' }),
  evidence: jsonStrings,
  risk_flags: jsonStrings,
  first_seen: timestamp,
  last_seen: timestamp,
  present: flag.meta({ description: 'was it there at the latest scan' }),
  last_known: z
    .string()
    .nullable()
    .meta({
      description:
        'why it counts as there although the latest scan did not see it: its file was not read, or ' +
        'the report was full; null: it was seen',
    }),
});

const countedVersions = z.array(z.object({ version: z.string(), device_count: count }));
const countedFlags = z.array(z.object({ flag: z.string(), device_count: count }));

/** An app across the fleet. Counts are of devices where it was there at the latest scan. */
export const appGroup = z.object({
  id: z.string(),
  kind: z.enum(appKinds),
  name: z.string(),
  catalog_id: z.string().nullable(),
  device_count: count,
  gone_count: count.meta({ description: 'devices that had it, and have it no more' }),
  user_count: count.meta({ description: 'different names of users' }),
  version_count: count,
  oldest_version: z.string().nullable(),
  newest_version: z.string().nullable(),
  risk_flags: jsonOf(countedFlags).meta({ description: 'most devices first' }),
  first_seen: timestamp.meta({ description: 'when the first device of the fleet reported it' }),
  last_seen: timestamp,
});

/**
 * One network flow as a device reports it: sent when it opens, again while it lasts and once it
 * has ended, always under the same id. Bytes are null where the system does not count them.
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

/** A time of which flows are missing: the device cannot say which, or how many. */
export const observationGap = z.strictObject({
  reason: z.enum(['not_running', 'dropped']).meta({
    description:
      'not_running: from the last look of an agent that ended to the first of the next; ' +
      'dropped: reports of this time were made, and given up',
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
        .meta({ description: 'null when no certificate of it is valid any more' }),
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
            'the key that somebody asks to enroll with as this device, until it is approved, ' +
            'what they say of themselves, and where they ask from',
        }),
      queued: count.meta({ description: 'reports that waited on it at its last heartbeat' }),
      dropped: count.meta({ description: 'reports that it gave up since it enrolled' }),
      problems: jsonStrings.meta({ description: 'what the agent last reported as wrong' }),
      not_observed: z
        .array(z.object({ ...observationGap.shape, started_at: timestamp, ended_at: timestamp }))
        .meta({ description: 'times of which flows are missing, latest first, 100 at most' }),
      certificate_refusals: z
        .array(z.object({ ...certificateRefusal.shape, since: timestamp }))
        .meta({ description: 'programs that do not accept its certificates, as it last said' }),
      capture_levels: z.array(captureLevel).meta({
        description: 'of the apps of the catalog that were there at the latest scan',
      }),
      pauses: z.array(shownPause).meta({ description: 'of capture, latest first, 100 at most' }),
      app_count: count,
      flow_count: count,
    }),
  },
  listApps: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/apps/',
    summary: 'AI apps found on devices',
    query: z.object({
      ...paging,
      device: z.string().optional(),
      group: z.string().optional().meta({ description: 'one app across the fleet' }),
      kind: z.enum(appKinds).optional(),
      version: z.string().optional(),
      present: z.enum(['true', 'false']).optional().meta({
        description: 'was it there at the latest scan of its device?',
      }),
      search: z.string().optional(),
    }),
    response: page(app),
  },
  listAppGroups: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/app-groups/',
    summary: 'AI apps across the fleet: how many devices have which versions',
    query: z.object({
      ...paging,
      kind: z.enum(appKinds).optional(),
      risk_flag: z.string().min(1).max(100).optional(),
      search: z.string().optional().meta({ description: 'in the name or the catalog id' }),
      new_since: range.start.meta({ description: 'first seen in the fleet then or later' }),
      version_below: z
        .string()
        .max(100)
        .regex(/\d/, 'expected a version: it has a digit')
        .optional()
        .meta({ description: 'some device has a version that is older' }),
      present: z.enum(['true', 'false']).optional().meta({
        description: 'false: those that no device has any more',
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
    summary: 'One app across the fleet, with all of its versions; who has it: apps/?group=',
    params: z.object({ id: z.string() }),
    response: appGroup.extend({
      versions: jsonOf(countedVersions).meta({ description: 'newest first, 200 at most' }),
    }),
  },
  listFlows: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/flows/',
    summary: 'Network flows, newest first',
    query: z.object({
      ...paging,
      device: z.string().optional(),
      host: z.string().optional(),
      process: z.string().optional(),
      known_host: z.enum(['true', 'false']).optional().meta({ description: 'AI hosts only' }),
    }),
    response: growingPage(flow),
  },
});

export type DeviceDetail = z.output<typeof fleetRoutes.getDevice.response>;
