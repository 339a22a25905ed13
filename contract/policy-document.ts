import { z } from 'zod';
import { flag, jsonObject, timestamp } from './fields.ts';
import { policyModes, severities } from './policy-actions.ts';

/** A name that is short enough for an index, and a single line for display. */
export const policyName = z
  .string()
  .max(200)
  .regex(
    /^(?! )[^\p{Cc}]+(?<! )$/u,
    'expected 1 to 200 characters without control characters, not beginning or ending with a space',
  );

const pattern = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^*]*\*?$/, 'expected a name, or a prefix followed by *');

const patterns = z.array(pattern).max(1000);

/**
 * The scope of a policy. An agent, workflow and user group must match all lists; an empty list
 * matches everything.
 */
export const policyScope = z
  .strictObject({
    agents: patterns.default([]),
    workflows: patterns.default([]),
    user_groups: patterns.default([]),
  })
  .meta({
    description: 'an empty list matches all; a trailing * matches any suffix',
    examples: [{ agents: ['support', 'mcp:files:*'], workflows: [], user_groups: [] }],
  });
export type PolicyScope = z.output<typeof policyScope>;

const rules = z.record(z.string(), z.unknown()).meta({
  description: 'rules of the category; policies/categories/ lists them with their defaults',
  examples: [{ max_per_minute: 30, max_concurrent: 5 }],
});

const category = z
  .string()
  .max(100)
  .meta({ examples: ['rate-limit'] });

/** The fields of a policy that administrators define. */
export const policyFields = {
  name: policyName.meta({ examples: ['Steady pace'] }),
  description: z.string().max(10_000),
  category,
  rules,
  scope: policyScope,
  priority: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'lower numbers are evaluated first', examples: [100] }),
  enabled: z.boolean(),
  severity: z.enum(severities).meta({ description: 'severity of the incidents that it opens' }),
  mode: z.enum(policyModes).meta({
    description: '`warn`: only warns where it would otherwise block, interrupt or redact',
  }),
};

/** A policy in a file, or in the body of the request that creates it. */
export const policyDocument = z.strictObject({
  ...policyFields,
  description: policyFields.description.default(''),
  rules: rules.default({}),
  scope: policyScope.prefault({}),
  priority: policyFields.priority.default(100),
  enabled: policyFields.enabled.default(true),
  severity: policyFields.severity.default('medium'),
  mode: policyFields.mode.default('enforce'),
});
export type PolicyDocument = z.output<typeof policyDocument>;

const scopeText = z.codec(policyScope, z.string(), {
  decode: (scope) => JSON.stringify(scope),
  encode: (text) => JSON.parse(text) as PolicyScope,
});

/** A policy as stored and returned. */
export const policyRecord = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  rules: jsonObject.meta({ description: 'with all defaults filled in' }),
  scope: scopeText,
  priority: z.int(),
  enabled: flag,
  severity: policyFields.severity,
  mode: policyFields.mode,
  version: z.int().min(1).meta({ description: 'number of the latest version' }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type PolicyRecord = z.output<typeof policyRecord>;
