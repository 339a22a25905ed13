import { z } from 'zod';
import { currentPause, pauseRecord } from './capture-pauses.ts';
import { captureLevel, certificateRefusal } from './captures.ts';
import {
  count,
  jsonStrings,
  page,
  paging,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
} from './fields.ts';
import { downloads, exportFormat, MAX_EXPORTED } from './filters.ts';
import { observationGap } from './flows.ts';
import { guardFields } from './guard.ts';
import { countsOverTime } from './over-time.ts';
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
  problems: jsonStrings.meta({ description: 'problems last reported by the agent' }),
  present_apps: count.meta({ description: 'apps that its latest scan found' }),
  risk_flags: jsonStrings.meta({ description: 'risks of the apps that its latest scan found' }),
  capture_pause: currentPause.nullable().meta({
    description: 'the current pause of capture by its user, as last reported',
  }),
});

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

const listedDevice = device.extend({
  waiting_key: z
    .string()
    .nullable()
    .meta({ description: 'SHA-256 of the key of a request that waits for approval' }),
});

export const deviceStates = ['online', 'offline', 'waiting', 'pending', 'revoked'] as const;

/** The fields by which devices can be sorted. */
export const deviceSorts = [
  'last_seen',
  'hostname',
  'user',
  'enrolled_at',
  'problems',
  'apps',
] as const;

/** The times of a device. */
export const deviceTimes = ['last_seen', 'enrolled_at'] as const;
const deviceTime = z.enum(deviceTimes);

const filters = {
  search: z.string().optional().meta({ description: 'part of the hostname, the user or the id' }),
  state: z.enum(deviceStates).optional().meta({
    description:
      '`online` and `offline`: active devices; `waiting`: with a request that waits for approval',
  }),
  os: z.string().optional(),
  user_group: z.string().optional(),
  agent_version: z.string().optional(),
  with_problems: z.enum(['true', 'false']).optional().meta({
    description: 'only active devices whose agent reports problems; or only all others',
  }),
  problem: z.string().optional().meta({ description: 'part of a problem that the agent reports' }),
  config: z.enum(['applied', 'pending']).optional().meta({
    description: 'whether an active device has applied the current config version',
  }),
  app: z.string().optional().meta({
    description: 'id of an app across the fleet that its latest scan found',
  }),
  risk_flag: z.string().min(1).max(100).optional(),
  time: deviceTime.optional().meta({
    description: 'the time that `start` and `end` are about; `last_seen` by default',
  }),
  ...range,
};

const sort = sortBy(deviceSorts, '-last_seen');

export const devicesRoutes = routes({
  listDevices: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/devices/',
    summary: 'List devices, last seen first by default',
    query: z.object({ ...paging, ...filters, sort }).check(startBeforeEnd),
    response: page(listedDevice),
  },
  summarizeDevices: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/devices/summary/',
    summary: 'Number of the devices that a filter matches, by one of their times',
    query: z.object({ ...filters, by: deviceTime.default('last_seen') }).check(startBeforeEnd),
    response: countsOverTime('devices'),
  },
  exportDevices: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/devices/export/',
    summary: `Download the devices that a filter matches, at most ${MAX_EXPORTED.toLocaleString('en')}`,
    query: z.object({ ...filters, sort, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
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
});

export type DeviceDetail = z.output<typeof devicesRoutes.getDevice.response>;
