import { z } from 'zod';
import { count, page, paging, timestamp } from './fields.ts';
import { type AppKind, appKinds } from './fleet.ts';
import { policyName } from './policy.ts';
import { routes } from './route.ts';

/** Kinds of which Guard can block a process. What programs load runs in the program's process. */
export const blockableKinds = [
  'desktop_app',
  'cli',
  'mcp_server',
  'local_model_server',
] as const satisfies readonly AppKind[];

const MOST_PATTERNS = 500;
const version = z.string().max(100).regex(/\d/, 'expected a version: it has a digit');

const kinds = z.array(z.enum(appKinds)).max(appKinds.length);
const someKinds = kinds.min(1, 'expected one kind at least').meta({ examples: [['mcp_server']] });
const anyKinds = kinds.default([]).meta({ description: 'an empty list stands for all kinds' });

const patterns = z
  .array(z.string().min(1).max(200))
  .max(MOST_PATTERNS)
  .meta({
    description: 'ids of the catalog, or names: * stands for anything, the case does not matter',
    examples: [['mcp-github', '@acme/*']],
  });
const someApps = patterns.min(1, 'expected one app at least');

/** Which apps a rule finds. */
export const inventoryCondition = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('listed'), kinds: anyKinds, apps: someApps }),
    z.strictObject({
      type: z.literal('not_allowed'),
      kinds: someKinds,
      allowed: patterns.meta({ description: 'every other app of these kinds is found' }),
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
      apps: patterns.default([]).meta({ description: 'an empty list stands for all apps' }),
      flags: z
        .array(z.string().min(1).max(100))
        .min(1, 'expected one flag at least')
        .max(50)
        .meta({ description: 'any of them', examples: [['mcp_shell_exec']] }),
    }),
  ],
  { error: 'expected a `type`: listed, not_allowed, version_below or risk_flags' },
);
export type InventoryCondition = z.output<typeof inventoryCondition>;

const names = z.array(z.string().min(1).max(200)).max(1000).default([]);

/** Which devices a rule is for: those that either list names; two empty lists stand for all. */
export const inventoryScope = z
  .strictObject({ user_groups: names, devices: names })
  .meta({ description: 'devices that one of the lists names; where both are empty, all devices' });
export type InventoryScope = z.output<typeof inventoryScope>;

export const inventoryActions = ['incident', 'block'] as const;

const ruleFields = {
  condition: inventoryCondition,
  scope: inventoryScope.prefault({}),
  action: z.enum(inventoryActions).default('incident').meta({
    description: 'incident: opens one for each app and device; block: Guard blocks it there too',
  }),
};

/** @returns the kinds of which no process can be blocked, though the rule says so */
function unblockable({ action, condition }: Pick<InventoryRuleDocument, 'action' | 'condition'>) {
  if (action !== 'block') return [];
  const given = condition.kinds.length === 0 ? appKinds : condition.kinds;
  return given.filter((kind) => !(blockableKinds as readonly AppKind[]).includes(kind));
}

type CheckedRule = Pick<z.output<typeof rulePreview>, 'action' | 'condition'>;

const onlyWhatCanBeBlocked = z.superRefine<CheckedRule>((rule, context) => {
  const given = unblockable(rule);
  if (given.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['condition', 'kinds'],
      message: `${given.join(', ')} cannot be blocked: name only ${blockableKinds.join(', ')}`,
    });
});

const rulePreview = z.strictObject(ruleFields);

const ruleDocument = z.strictObject({
  name: policyName.meta({ examples: ['Only known MCP servers'] }),
  description: z.string().max(10_000).default(''),
  enabled: z.boolean().default(true),
  ...ruleFields,
});

/** A rule on the inventory, as an administrator writes it. */
export const inventoryRuleDocument = ruleDocument.check(onlyWhatCanBeBlocked);
export type InventoryRuleDocument = z.output<typeof ruleDocument>;

export const inventoryRule = z.object({
  id: z.string(),
  ...ruleDocument.shape,
  evaluating: z.boolean().meta({
    description:
      'true: not all devices were looked at since the rule, or what they have, last changed',
  }),
  open_incidents: count,
  blocks_not_in_force: count.meta({
    description: 'apps on devices that it does not block, since the device has more than 500 names',
  }),
  created_at: timestamp,
  updated_at: timestamp,
  updated_by: z.string(),
});

/** An app that a rule finds on a device. */
const finding = z.object({
  group_id: z.string(),
  kind: z.enum(appKinds),
  name: z.string(),
  device_id: z.string(),
  hostname: z.string(),
  user: z.string().nullable(),
  version: z.string().nullable(),
  reason: z.string(),
  processes: z.array(z.string()).meta({ description: 'that Guard would block on the device' }),
});

const base = '/api/v1/endpoint/inventory-rules/';
const session = { auth: 'session', errors: 'text' } as const;
const rulePath = z.object({ id: z.string() });

export const inventoryRuleRoutes = routes({
  listInventoryRules: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: base,
    summary: 'Rules on the inventory, by name',
    query: z.object(paging),
    response: page(inventoryRule),
  },
  createInventoryRule: {
    ...session,
    role: 'admin',
    method: 'POST',
    path: base,
    summary: 'Create a rule on the inventory; all devices are then looked at in the background',
    refuses: [409],
    body: inventoryRuleDocument,
    status: 201,
    response: inventoryRule,
  },
  previewInventoryRule: {
    ...session,
    role: 'analyst',
    method: 'POST',
    path: `${base}preview/`,
    summary: 'What a rule would find now; changes nothing',
    body: rulePreview.check(onlyWhatCanBeBlocked),
    response: z.object({
      app_count: count.meta({ description: 'different apps' }),
      device_count: count,
      finding_count: count.meta({ description: 'incidents that it would open: apps × devices' }),
      complete: z.boolean().meta({
        description: 'false: the counts are of the first 20,000 apps that were looked at',
      }),
      findings: z.array(finding).meta({ description: 'the first 100' }),
    }),
  },
  getInventoryRule: {
    ...session,
    role: 'viewer',
    method: 'GET',
    path: `${base}{id}/`,
    summary: 'One rule on the inventory',
    params: rulePath,
    response: inventoryRule,
  },
  replaceInventoryRule: {
    ...session,
    role: 'admin',
    method: 'PUT',
    path: `${base}{id}/`,
    summary: 'Replace a rule; what is left out gets its default',
    refuses: [409],
    params: rulePath,
    body: inventoryRuleDocument,
    response: inventoryRule,
  },
  deleteInventoryRule: {
    ...session,
    role: 'admin',
    method: 'DELETE',
    path: `${base}{id}/`,
    summary: 'Delete a rule; what it blocked is free at once, its incidents are resolved',
    params: rulePath,
    status: 204,
    response: z.undefined(),
  },
});
