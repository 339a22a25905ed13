import { z } from 'zod';
import {
  count,
  flag,
  growingPage,
  jsonOf,
  jsonStrings,
  page,
  paging,
  range,
  sortBy,
  startBeforeEnd,
  timestamp,
} from './fields.ts';
import { downloads, exportFormat, MAX_EXPORTED } from './filters.ts';
import { countsOverTime } from './over-time.ts';
import { routes } from './route.ts';

/** Kinds of apps whose connections and calls can be attributed. Guard has a layer for each kind. */
export const programKinds = [
  'desktop_app',
  'cli',
  'editor_extension',
  'mcp_server',
  'local_model_server',
] as const;

/**
 * All kinds of apps. The additional ones are loaded by programs: they extend them, instruct them,
 * or are run by them.
 */
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

/**
 * An AI app, as reported by a device. It contains only the names of environment variables, never
 * values.
 */
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

/**
 * A place that a report does not cover completely. Apps that were found there before are not
 * removed.
 */
export const notRead = z.strictObject({
  kind: z.enum(appKinds).nullable().meta({ description: 'null: any' }),
  path: z.string().max(4096).nullable().meta({
    description: 'a file; with a trailing / everything below a folder; null: anywhere',
  }),
  reason: z.string().min(1).max(500),
});
export type NotRead = z.output<typeof notRead>;

// Reports are strict, so that no unplanned data leaves a device. Responses return the stored row.
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

/** An app across the fleet. The counts are of devices on which the latest scan found it. */
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

/** The times of an app, on its device or in the fleet. */
export const appTimes = ['first_seen', 'last_seen'] as const;
const appTime = z.enum(appTimes);

const timed = {
  time: appTime.optional().meta({
    description: 'the time that `start` and `end` are about; `first_seen` by default',
  }),
  ...range,
};
const by = appTime.default('first_seen');

const riskFlag = z.string().min(1).max(100).optional();

const appFilters = {
  device: z.string().optional(),
  group: z.string().optional().meta({ description: 'id of an app across the fleet' }),
  kind: z.enum(appKinds).optional(),
  version: z.string().optional(),
  user: z.string().optional(),
  present: z.enum(['true', 'false']).optional().meta({
    description: 'whether the latest scan of its device found it',
  }),
  risk_flag: riskFlag,
  new_since: range.start.meta({ description: 'first seen on its device at this time or later' }),
  search: z.string().optional().meta({ description: 'part of the name or the hostname' }),
  ...timed,
};

/**
 * The sort orders. `kind` means by kind and name, or by device for a single app across the fleet.
 */
const appSort = sortBy(['kind', 'first_seen', 'last_seen'], 'kind');

const groupFilters = {
  kind: z.enum(appKinds).optional(),
  risk_flag: riskFlag,
  search: z.string().optional().meta({ description: 'substring of the name or the catalog id' }),
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
  ...timed,
};

const groupSort = sortBy(
  ['device_count', 'user_count', 'name', 'first_seen', 'last_seen'],
  '-device_count',
);

const atMost = `at most ${MAX_EXPORTED.toLocaleString('en')}`;

const session = { auth: 'session', role: 'viewer', errors: 'text' } as const;

export const inventoryRoutes = routes({
  listApps: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/apps/',
    summary: 'List AI apps found on devices',
    query: z.object({ ...paging, ...appFilters, sort: appSort }).check(startBeforeEnd),
    response: growingPage(app),
  },
  summarizeApps: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/apps/summary/',
    summary:
      'Number of the AI apps on devices that a filter matches, by when they were seen first or last',
    query: z.object({ ...appFilters, by }).check(startBeforeEnd),
    response: countsOverTime('apps'),
  },
  exportApps: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/apps/export/',
    summary: `Download the inventory that a filter matches: which device has which app, ${atMost}`,
    query: z.object({ ...appFilters, sort: appSort, format: exportFormat }).check(startBeforeEnd),
    response: z.string(),
    downloads,
  },
  listAppGroups: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/app-groups/',
    summary: 'List AI apps across the fleet, with device counts by version',
    query: z.object({ ...paging, ...groupFilters, sort: groupSort }).check(startBeforeEnd),
    response: page(appGroup),
  },
  summarizeAppGroups: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/app-groups/summary/',
    summary:
      'Number of the AI apps across the fleet that a filter matches, by when they were seen first or last',
    query: z.object({ ...groupFilters, by }).check(startBeforeEnd),
    response: countsOverTime('apps'),
  },
  exportAppGroups: {
    ...session,
    method: 'GET',
    path: '/api/v1/endpoint/app-groups/export/',
    summary: `Download the apps across the fleet that a filter matches, ${atMost}`,
    query: z
      .object({ ...groupFilters, sort: groupSort, format: exportFormat })
      .check(startBeforeEnd),
    response: z.string(),
    downloads,
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
});
