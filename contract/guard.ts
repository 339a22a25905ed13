import { z } from 'zod';
import { page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** Broadest first: for each field, the last layer that sets it wins. */
export const guardLevels = ['global', 'app_type', 'user_group', 'device', 'agent'] as const;
export const guardLevel = z.enum(guardLevels);
export type GuardLevel = z.output<typeof guardLevel>;

/** The longest time for which a person may be allowed to pause capture: one working day. */
export const LONGEST_PAUSE_MINUTES = 480;

const names = z.array(z.string().min(1).max(253)).max(500);

/** A layer sets some of these; the effective configuration has all of them. */
export const guardFields = z.strictObject({
  capture_enabled: z.boolean(),
  intercept_hosts: names,
  intercept_processes: names,
  blocked_hosts: names,
  blocked_processes: names,
  enforce_policies: z.boolean().meta({
    description: 'do devices hold calls of LLMs until policies were asked, and refuse them?',
  }),
  pause_minutes: z
    .int()
    .min(0)
    .max(LONGEST_PAUSE_MINUTES)
    .meta({
      description:
        'for how many minutes at a time the person at a device may pause capture; 0: not at all. ' +
        'In force it is 0 where policies are enforced',
    }),
});
export type GuardFields = z.output<typeof guardFields>;
export const guardFieldNames = guardFields.keyof().options;

export const guardConfig = guardFields.partial();
export type GuardConfig = z.output<typeof guardConfig>;

const layerBody = z.strictObject({
  layer: guardLevel,
  scope: z.string().min(1).max(200).nullable().default(null),
  config: guardConfig,
});

export const guardLayer = z.object({
  id: z.string(),
  layer: guardLevel,
  scope: z.string().nullable(),
  config: guardConfig,
  version: z.int().meta({ description: 'the config version that this layer last changed' }),
  updated_at: timestamp,
  updated_by: z.string(),
});

/** One change of one layer. The history keeps them all, also those of layers that are gone. */
export const guardChange = z.object({
  id: z.string(),
  version: z.int().meta({ description: 'the config version that the change made' }),
  change: z.enum(['create', 'update', 'delete', 'revert']),
  layer: guardLevel,
  scope: z.string().nullable(),
  layer_id: z.string(),
  before: guardConfig.nullable().meta({ description: 'null where the layer was not there' }),
  after: guardConfig.nullable().meta({ description: 'null where the layer is gone since' }),
  reverts: z.string().nullable().meta({ description: 'the change whose state came back' }),
  changed_by: z.string(),
  changed_at: timestamp,
});

export const catalogHost = z.object({
  host: z.string().meta({ description: '`*.` stands for exactly one label' }),
  provider: z.string(),
  name: z.string(),
  region: z.string().nullable().meta({ description: 'where the provider has one host for each' }),
  aliases: z.array(z.string()).meta({
    description: 'hosts of the catalog that lead here, or that the same app needs too',
  }),
});

/** Which layer gave a field; `profile` lies below all, `default` means nobody set it. */
export const guardSource = z.enum(['default', 'profile', ...guardLevels]);

/** Where a field of a device's configuration comes from. */
export const guardOrigin = z.object({
  source: guardSource,
  set_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'when that layer last changed; null where it was no layer' }),
});
export type GuardOrigin = z.output<typeof guardOrigin>;

/** The layer that gave a field; null where it was the profile, or nobody. */
const layerReference = guardLayer.pick({ id: true, layer: true, scope: true }).nullable();

/** Processes that a rule on the inventory blocks on one device, because of an app that it has. */
export const inventoryBlock = z.object({
  source: z.string().meta({ description: 'such as `inventory rule Only known MCP servers`' }),
  rule_id: z.string(),
  rule_name: z.string(),
  app_group_id: z.string(),
  app_name: z.string(),
  blocked_processes: z.array(z.string()),
  not_in_force: z.array(z.string()).meta({
    description:
      'of these the ones that the device does not block: it takes 500 names, and has more',
  }),
});

const session = { auth: 'session', errors: 'text' } as const;

export const guardRoutes = routes({
  listCatalog: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/catalog/',
    summary: 'The AI hosts that capture can be switched on for',
    response: z.object({ version: z.string(), hosts: z.array(catalogHost) }),
  },
  listLayers: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/guard/layers/',
    summary: 'All Guard layers, broadest first',
    response: page(guardLayer),
  },
  putLayer: {
    ...session,
    role: 'admin',
    method: 'POST',
    path: '/api/v1/endpoint/guard/layers/',
    summary: 'Create or replace the layer of one level and scope',
    refuses: [404],
    body: layerBody,
    status: 201,
    response: guardLayer,
  },
  updateLayer: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: '/api/v1/endpoint/guard/layers/{id}/',
    summary: "Replace a layer's configuration",
    params: z.object({ id: z.string() }),
    body: z.strictObject({ config: guardConfig }),
    response: guardLayer,
  },
  deleteLayer: {
    ...session,
    role: 'admin',
    method: 'DELETE',
    path: '/api/v1/endpoint/guard/layers/{id}/',
    summary: 'Remove a layer',
    params: z.object({ id: z.string() }),
    status: 204,
    response: z.undefined(),
  },
  listGuardHistory: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/guard/history/',
    summary: 'Every change of a layer, newest first',
    query: z.object({
      ...paging,
      layer: guardLevel.optional(),
      scope: z.string().min(1).max(200).optional(),
    }),
    response: page(guardChange),
  },
  revertGuardChange: {
    ...session,
    role: 'admin',
    method: 'POST',
    path: '/api/v1/endpoint/guard/history/{id}/revert/',
    summary: 'Bring back what a layer was before a change, or since it, as a new change',
    params: z.object({ id: z.string() }),
    body: z.strictObject({
      to: z
        .enum(['before', 'after'])
        .default('before')
        .meta({ description: '`before` takes the change back, `after` goes back to it' }),
    }),
    status: 201,
    response: guardChange,
  },
  resolveGuard: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/guard/resolve/',
    summary: 'The effective configuration and which layer gave each field',
    refuses: [404],
    // Lists leave out what they do not know; here a misspelt target would be answered for nobody.
    query: z.strictObject({
      app_type: z.string().optional(),
      user_group: z.string().optional(),
      device: z.string().optional(),
      agent: z.string().optional(),
    }),
    response: z.object({
      effective: z.object(guardFields.shape),
      sources: z.record(z.string(), guardSource),
      layers: z.record(z.string(), layerReference),
      inventory_blocks: z.array(inventoryBlock).meta({
        description: 'of the device that is named: what rules on the inventory add to the cascade',
      }),
      version: z.int(),
    }),
  },
});
