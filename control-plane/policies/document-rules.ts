import { z } from 'zod';
import {
  type PolicyDocument,
  policyDocument,
  type PolicyRecord,
  type PolicyScope,
} from '#contract/policy-document.ts';
import type { Category } from './category.ts';
import { categoryNames, categoryOf } from './categories/index.ts';

const MAX_RULES_BYTES = 262_144;

/** The part of a policy that its category validates. */
export type PolicyDefinition = Pick<PolicyDocument, 'category' | 'rules' | 'scope'>;

/**
 * Validates a policy or draft by its category. Returns it with the canonical name of the category,
 * all defaults of the rules, and no duplicate names in the scope.
 */
export function validateCategory<D extends PolicyDefinition>(
  document: D,
  context: z.RefinementCtx,
): D {
  const category = categoryOf(document.category);
  if (!category) {
    const message = `unknown category ${JSON.stringify(document.category)}; expected one of ${categoryNames.join(', ')}`;
    context.addIssue({ code: 'custom', path: ['category'], message });
    return z.NEVER;
  }
  const rules = rulesOf(category, document.rules, context);
  return { ...document, category: category.name, rules, scope: distinct(document.scope) };
}

/** The schema of the document in a policy file. */
export const policyFileSchema = policyDocument.transform(validateCategory);

function rulesOf(
  category: Category,
  input: Record<string, unknown>,
  context: z.RefinementCtx,
): Record<string, unknown> {
  const path = ['rules'];
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_RULES_BYTES)
    context.addIssue({
      code: 'custom',
      path,
      message: `expected at most ${MAX_RULES_BYTES} bytes`,
    });
  const { success, data, error } = category.rules.safeParse(input);
  if (success) return data as Record<string, unknown>;
  for (const issue of error.issues)
    for (const { path: at, message } of problemsOf(category, issue))
      context.addIssue({ code: 'custom', path: [...path, ...at], message });
  return z.NEVER;
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
}

/** Reports an unknown rule at its own path, together with the rules that the category has. */
function problemsOf(category: Category, issue: z.core.$ZodIssue): Problem[] {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0)
    return [{ path: issue.path, message: issue.message }];
  const names = Object.keys(rulesSchema(category).properties ?? {}).join(', ');
  const message = `unknown rule; ${category.name} has ${names}`;
  return issue.keys.map((key) => ({ path: [key], message }));
}

/** Returns the rules of a category as JSON Schema, in their input form. */
export function rulesSchema({ rules }: Category): z.core.JSONSchema.BaseSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(rules, {
    io: 'input',
    unrepresentable: 'any',
  });
  return schema;
}

const distinct = (scope: PolicyScope): PolicyScope => ({
  agents: [...new Set(scope.agents)],
  workflows: [...new Set(scope.workflows)],
  user_groups: [...new Set(scope.user_groups)],
});

/** Returns the part of a stored policy that an administrator defines. */
export const documentOf = (record: PolicyRecord): PolicyDocument => ({
  name: record.name,
  description: record.description,
  category: record.category,
  rules: JSON.parse(record.rules) as Record<string, unknown>,
  scope: JSON.parse(record.scope) as PolicyScope,
  priority: record.priority,
  enabled: record.enabled !== 0,
  severity: record.severity,
  mode: record.mode,
});

/**
 * Applies a JSON Merge Patch (RFC 7396): objects are merged, null removes a member, and other
 * values replace the old ones.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch))
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  return Object.fromEntries(result);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the documents are equal, ignoring the order of members. */
export const isSameDocument = (a: PolicyDocument, b: PolicyDocument): boolean =>
  JSON.stringify(sortMembers(a)) === JSON.stringify(sortMembers(b));

/** Sorts the members of all objects by name, so that equal values have equal JSON. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortMembers(inner)]),
  );
}
