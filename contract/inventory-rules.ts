import { z } from 'zod';
import { count, page, paging, timestamp } from './fields.ts';
import { type AppKind, appKinds } from './inventory.ts';
import { policyName } from './policy-document.ts';
import { routes } from './route.ts';

/**
 * Kinds of apps whose processes Guard can block. Other kinds run in the process of their program.
 */
export const blockableKinds = [
  'desktop_app',
  'cli',
  'mcp_server',
  'local_model_server',
] as const satisfies readonly AppKind[];

const MAX_PATTERNS = 500;
const version = z.string().max(100).regex(/\d/, 'expected a version, with at least one digit');

const kinds = z.array(z.enum(appKinds)).max(appKinds.length);
const someKinds = kinds.min(1, 'expected at least one kind').meta({ examples: [['mcp_server']] });
const anyKinds = kinds.default([]).meta({ description: 'empty: all kinds' });

const patterns = z
  .array(z.string().min(1).max(200))
  .max(MAX_PATTERNS)
  .meta({
    description: 'catalog ids or names, case-insensitive; * matches any text',
    examples: [['mcp-github', '@acme/*']],
  });
const someApps = patterns.min(1, 'expected at least one app');

/** Selects the apps that a rule matches. */
export const inventoryCondition = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('listed'), kinds: anyKinds, apps: someApps }),
    z.strictObject({
      type: z.literal('not_allowed'),
      kinds: someKinds,
      allowed: patterns.meta({ description: 'all other apps of these kinds match' }),
    }),
    z.strictObject({
      type: z.literal('version_below'),
      kinds: anyKinds,
      apps: someApps,
      version: version.meta({ examples: ['2.1.0'] }),
    }),
    z.strictObject({
      type: z.literal('risk_flags'),
      kinds: anyKinds,
      apps: patterns.default([]).meta({ description: 'empty: all apps' }),
      flags: z
        .array(z.string().min(1).max(100))
        .min(1, 'expected at least one flag')
        .max(50)
        .meta({
          description: 'matches apps with any of these flags',
          examples: [['mcp_shell_exec']],
        }),
    }),
  ],
  { error: 'expected a `type`: listed, not_allowed, version_below or risk_flags' },
);
export type InventoryCondition = z.output<typeof inventoryCondition>;

const names = z.array(z.string().min(1).max(200)).max(1000).default([]);

/** Selects the devices of a rule: those in either list, or all devices if both are empty. */
export const inventoryScope = z
  .strictObject({ user_groups: names, devices: names })
  .meta({ description: 'devices in either list; if both are empty, all devices' });
export type InventoryScope = z.output<typeof inventoryScope>;

export const inventoryActions = ['incident', 'block'] as const;

const ruleFields = {
  condition: inventoryCondition,
  scope: inventoryScope.prefault({}),
  action: z.enum(inventoryActions).default('incident').meta({
    description:
      'incident: opens an incident per app and device; block: Guard also blocks the app there',
  }),
};

/** @returns the kinds that the rule would block although they have no process of their own */
function unblockable({ action, condition }: Pick<InventoryRuleDocument, 'action' | 'condition'>) {
  if (action !== 'block') return [];
  const selected = condition.kinds.length === 0 ? appKinds : condition.kinds;
  return selected.filter((kind) => !(blockableKinds as readonly AppKind[]).includes(kind));
}

type CheckedRule = Pick<z.output<typeof rulePreview>, 'action' | 'condition'>;

const onlyWhatCanBeBlocked = z.superRefine<CheckedRule>((rule, context) => {
  const kinds = unblockable(rule);
  if (kinds.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['condition', 'kinds'],
      message: `${kinds.join(', ')} cannot be blocked: expected only ${blockableKinds.join(', ')}`,
    });
});

const rulePreview = z.strictObject(ruleFields);

const ruleDocument = z.strictObject({
  name: policyName.meta({ examples: ['Only known MCP servers'] }),
  description: z.string().max(10_000).default(''),
  enabled: z.boolean().default(true),
  ...ruleFields,
});

/** An inventory rule, as an administrator writes it. */
export const inventoryRuleDocument = ruleDocument.check(onlyWhatCanBeBlocked);
export type InventoryRuleDocument = z.output<typeof ruleDocument>;

export const inventoryRule = z.object({
  id: z.string(),
  ...ruleDocument.shape,
  evaluating: z.boolean().meta({
    description:
      'true: not all devices have been evaluated since the last change of the rule or of their apps',
  }),
  open_incidents: count,
  blocks_not_in_force: count.meta({
    description:
      'number of apps on devices that are not blocked, because a device can block at most 500 names',
  }),
  created_at: timestamp,
  updated_at: timestamp,
  updated_by: z.string(),
});

/** A match of a rule: an app on a device. */
const finding = z.object({
  group_id: z.string(),
  kind: z.enum(appKinds),
  name: z.string(),
  device_id: z.string(),
  hostname: z.string(),
  user: z.string().nullable(),
  version: z.string().nullable(),
  reason: z.string(),
  processes: z
    .array(z.string())
    .meta({ description: 'processes that Guard would block on the device' }),
});

const BASE = '/api/v1/endpoint/inventory-rules/';
const session = { auth: 'session', errors: 'text' } as const;
const rulePath = z.object({ id: z.string() });

export const inventoryRuleRoutes = routes({
  listInventoryRules: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: BASE,
    summary: 'List inventory rules by name',
    query: z.object(paging),
    response: page(inventoryRule),
  },
  createInventoryRule: {
    ...session,
    role: 'admin',
    method: 'POST',
    path: BASE,
    summary: 'Create an inventory rule; all devices are then evaluated in the background',
    errorStatuses: [409],
    body: inventoryRuleDocument,
    status: 201,
    response: inventoryRule,
  },
  previewInventoryRule: {
    ...session,
    role: 'analyst',
    method: 'POST',
    path: `${BASE}preview/`,
    summary: 'Preview the matches of a rule; changes nothing',
    body: rulePreview.check(onlyWhatCanBeBlocked),
    response: z.object({
      app_count: count.meta({ description: 'number of distinct apps' }),
      device_count: count,
      finding_count: count.meta({
        description: 'incidents that it would open, one per app and device',
      }),
      complete: z.boolean().meta({
        description: 'false: the counts are of the first 20,000 apps examined',
      }),
      findings: z.array(finding).meta({ description: 'the first 100' }),
    }),
  },
  getInventoryRule: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: `${BASE}{id}/`,
    summary: 'One inventory rule',
    params: rulePath,
    response: inventoryRule,
  },
  replaceInventoryRule: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: `${BASE}{id}/`,
    summary: 'Replace an inventory rule; omitted fields get their defaults',
    errorStatuses: [409],
    params: rulePath,
    body: inventoryRuleDocument,
    response: inventoryRule,
  },
  deleteInventoryRule: {
    ...session,
    role: 'admin',
    method: 'DELETE',
    path: `${BASE}{id}/`,
    summary:
      'Delete an inventory rule; its blocks are lifted immediately, and its incidents resolved',
    params: rulePath,
    status: 204,
    response: z.undefined(),
  },
});
