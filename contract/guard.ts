import { z } from 'zod';
import { count, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** The levels, broadest first. The last layer that sets a field determines its value. */
export const guardLevels = ['global', 'app_type', 'user_group', 'device', 'agent'] as const;
export const guardLevel = z.enum(guardLevels);
export type GuardLevel = z.output<typeof guardLevel>;

/** The maximum duration of a pause of capture that can be allowed: one working day. */
export const MAX_PAUSE_MINUTES = 480;

/**
 * The amount of data that coding agents on a device report, from nothing to everything. Each level
 * includes the ones before it.
 */
export const codingAgentLevels = ['off', 'metadata', 'prompts', 'tools'] as const;
export type CodingAgentLevel = (typeof codingAgentLevels)[number];

/** The levels at which coding agents are recorded. */
export const recordingLevels = ['metadata', 'prompts', 'tools'] as const;
export type RecordingLevel = (typeof recordingLevels)[number];

/** Whether the hooks of coding agents allow or deny tool calls while no one answers them. */
export const hookFailModes = ['open', 'closed'] as const;
export type HookFailMode = (typeof hookFailModes)[number];

/**
 * Whether tool calls of coding agents on a device are checked against policies, and whether calls
 * that only the control plane can decide are allowed (`open`) or denied (`closed`) while it is
 * unreachable.
 */
export const toolCheckModes = ['off', ...hookFailModes] as const;
export type ToolCheckMode = (typeof toolCheckModes)[number];

const names = z.array(z.string().min(1).max(253)).max(500);

/**
 * The fields of the configuration. A layer sets some of them; the effective configuration has all
 * of them.
 */
export const guardFields = z.strictObject({
  capture_enabled: z.boolean(),
  intercept_hosts: names,
  intercept_processes: names,
  blocked_hosts: names,
  blocked_processes: names,
  enforce_policies: z.boolean().meta({
    description:
      'true: devices hold LLM calls until policies are evaluated, and block refused calls',
  }),
  pause_minutes: z
    .int()
    .min(0)
    .max(MAX_PAUSE_MINUTES)
    .meta({
      description:
        'minutes for which the user of a device may pause capture at a time; 0: no pauses. ' +
        'The effective value is 0 if policies are enforced',
    }),
  coding_agents: z.enum(codingAgentLevels).meta({
    description:
      'what coding agents on the device report by OpenTelemetry, through settings that the agent ' +
      'writes. `metadata`: models, tokens, costs, durations, names of tools, errors; `prompts`: ' +
      'also prompts and answers; `tools`: also the input and output of tools',
  }),
  tool_checks: z.enum(toolCheckModes).meta({
    description:
      'whether coding agents on the device ask before they call a tool, through hooks that the ' +
      'agent writes. While the control plane cannot be reached, the device decides by the policies ' +
      'that it has; a call that these leave open is allowed with `open` and refused with `closed`',
  }),
});
export type GuardFields = z.output<typeof guardFields>;
export const guardFieldNames = guardFields.keyof().options;

/** The hosts that a layer switches on or off. All others stay as in the broader layers. */
const hostOverrides = z
  .record(z.string().min(1).max(253), z.boolean())
  .refine((hosts) => Object.keys(hosts).length <= 500, 'expected at most 500 hosts')
  .meta({
    description:
      'hosts that this layer switches on (true) or off (false) in `intercept_hosts`; all others ' +
      'stay as inherited, and follow later changes of broader layers',
    examples: [{ 'api.openai.com': true }],
  });

/** The settings of a layer. */
export const guardConfig = guardFields.partial().extend({
  host_overrides: hostOverrides.optional(),
});
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
  version: z.int().meta({ description: 'config version of the last change of this layer' }),
  updated_at: timestamp,
  updated_by: z.string(),
});

/** A change of a layer. The history keeps all changes, including those of deleted layers. */
export const guardChange = z.object({
  id: z.string(),
  version: z.int().meta({ description: 'config version created by the change' }),
  change: z.enum(['create', 'update', 'delete', 'revert']),
  layer: guardLevel,
  scope: z.string().nullable(),
  layer_id: z.string(),
  before: guardConfig.nullable().meta({ description: 'null if the layer did not exist' }),
  after: guardConfig.nullable().meta({ description: 'null if the layer was deleted' }),
  reverts: z.string().nullable().meta({ description: 'the reverted change' }),
  changed_by: z.string(),
  changed_at: timestamp,
});

export const catalogHost = z.object({
  host: z.string().meta({ description: '`*.` matches exactly one label' }),
  provider: z.string(),
  name: z.string(),
  region: z
    .string()
    .nullable()
    .meta({ description: 'set if the provider has one host per region' }),
  aliases: z.array(z.string()).meta({
    description: 'catalog hosts that resolve to this one, or that the same app also needs',
  }),
});

/**
 * The source of a field. `profile` is below all layers; `default` means that the field is not set.
 */
export const guardSource = z.enum(['default', 'profile', ...guardLevels]);

/** The source of a field in a device's configuration. */
export const guardOrigin = z.object({
  source: guardSource,
  set_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'time of the last change of that layer; null if the source is no layer' }),
});
export type GuardOrigin = z.output<typeof guardOrigin>;

/** The layer that set a field; null for the profile or the default. */
const layerReference = guardLayer.pick({ id: true, layer: true, scope: true }).nullable();

/** Processes blocked on one device by an inventory rule, because of an app. */
export const inventoryBlock = z.object({
  source: z.string().meta({ description: 'such as `inventory rule Only known MCP servers`' }),
  rule_id: z.string(),
  rule_name: z.string(),
  app_group_id: z.string(),
  app_name: z.string(),
  blocked_processes: z.array(z.string()),
  not_in_force: z.array(z.string()).meta({
    description:
      'names among these that the device does not block, because it can block at most 500',
  }),
});

const fieldValue = z.union([z.boolean(), z.int(), z.string(), z.array(z.string())]);

/** The effects that a change of a layer would have on its devices. */
export const guardPreview = z.object({
  device_count: count.meta({ description: 'devices in the scope of the layer' }),
  changed_count: count.meta({ description: 'of these, devices whose configuration changes' }),
  changed_devices: z
    .array(z.object({ id: z.string(), hostname: z.string() }))
    .meta({ description: 'the first 20 of these, by hostname' }),
  hosts: z
    .array(z.object({ host: z.string(), on: z.boolean(), device_count: count }))
    .meta({ description: 'hosts that are switched on or off, and on how many devices' }),
  settings: z
    .array(
      z.object({
        field: guardFields.keyof(),
        before: fieldValue,
        after: fieldValue,
        device_count: count,
      }),
    )
    .meta({ description: 'other effective values that change, and on how many devices' }),
});

const session = { auth: 'session', errors: 'text' } as const;

export const guardRoutes = routes({
  listCatalog: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/catalog/',
    summary: 'List the AI hosts for which capture can be enabled',
    response: z.object({ version: z.string(), hosts: z.array(catalogHost) }),
  },
  listLayers: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/guard/layers/',
    summary: 'List all Guard layers, broadest first',
    response: page(guardLayer),
  },
  putLayer: {
    ...session,
    role: 'admin',
    method: 'POST',
    path: '/api/v1/endpoint/guard/layers/',
    summary: 'Create or replace the layer of a level and scope',
    errorStatuses: [404],
    body: layerBody,
    status: 201,
    response: guardLayer,
  },
  previewLayer: {
    ...session,
    role: 'viewer',
    method: 'POST',
    path: '/api/v1/endpoint/guard/layers/preview/',
    summary: 'What saving a layer would change, and on how many devices; changes nothing',
    errorStatuses: [404],
    body: layerBody.extend({
      config: guardConfig.nullable().meta({ description: 'null: the layer is removed' }),
    }),
    response: guardPreview,
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
    summary: 'List all changes of layers, newest first',
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
    summary: 'Restore the state of a layer before or after a change, as a new change',
    params: z.object({ id: z.string() }),
    body: z.strictObject({
      to: z
        .enum(['before', 'after'])
        .default('before')
        .meta({ description: '`before` reverts the change, `after` restores its result' }),
    }),
    status: 201,
    response: guardChange,
  },
  resolveGuard: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: '/api/v1/endpoint/guard/resolve/',
    summary: 'The effective configuration, with the layer that set each field',
    errorStatuses: [404],
    // This query is strict, unlike those of lists, because a misspelled target must not resolve to
    // no target.
    query: z.strictObject({
      app_type: z.string().optional(),
      user_group: z.string().optional(),
      device: z.string().optional(),
      agent: z.string().optional(),
      without: guardLevel.optional().meta({
        description: 'leaves out the layers of this level: what the target would inherit there',
      }),
      profiles: z
        .enum(['true', 'false'])
        .optional()
        .meta({
          description:
            'true, if no device is named: begins with the hosts of the profiles of all devices of ' +
            'the user group, or of all devices',
        }),
    }),
    response: z.object({
      effective: z.object(guardFields.shape),
      sources: z.record(z.string(), guardSource),
      layers: z.record(z.string(), layerReference),
      inventory_blocks: z.array(inventoryBlock).meta({
        description:
          'processes blocked on the given device by inventory rules, in addition to the layers',
      }),
      version: z.int(),
    }),
  },
});
