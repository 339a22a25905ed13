import { z } from 'zod';
import {
  type PolicyDocument,
  policyDocument,
  type PolicyRecord,
  type PolicyScope,
} from '#contract/policy.ts';
import type { Category } from '../category.ts';
import { categoryNames, categoryOf } from '../categories/index.ts';

const MOST_RULES_BYTES = 262_144;

type Ruled = Pick<PolicyDocument, 'category' | 'rules' | 'scope'>;

/**
 * What every policy and every draft must keep: a category that there is, under its own name; rules
 * that it takes, with every default; nobody named twice.
 */
export function withCategory<D extends Ruled>(document: D, context: z.RefinementCtx): D {
  const category = categoryOf(document.category);
  if (!category) {
    const message = `there is no category ${JSON.stringify(document.category)}; known are ${categoryNames.join(', ')}`;
    context.addIssue({ code: 'custom', path: ['category'], message });
    return z.NEVER;
  }
  const rules = rulesOf(category, document.rules, context);
  return { ...document, category: category.name, rules, scope: distinct(document.scope) };
}

/** A policy as it is written down, checked and with all that it leaves out. */
export const wholePolicy = policyDocument.transform(withCategory);

function rulesOf(
  category: Category,
  given: Record<string, unknown>,
  context: z.RefinementCtx,
): Record<string, unknown> {
  const path = ['rules'];
  if (Buffer.byteLength(JSON.stringify(given)) > MOST_RULES_BYTES)
    context.addIssue({
      code: 'custom',
      path,
      message: `expected at most ${MOST_RULES_BYTES} bytes`,
    });
  const { success, data, error } = category.rules.safeParse(given);
  if (success) return data as Record<string, unknown>;
  for (const issue of error.issues)
    for (const { place, message } of problemsOf(category, issue))
      context.addIssue({ code: 'custom', path: [...path, ...place], message });
  return z.NEVER;
}

interface Problem {
  place: readonly PropertyKey[];
  message: string;
}

/** A rule that there is not is named where it stands, with those that there are. */
function problemsOf(category: Category, issue: z.core.$ZodIssue): Problem[] {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0)
    return [{ place: issue.path, message: issue.message }];
  const known = Object.keys(rulesSchema(category).properties ?? {}).join(', ');
  const message = `there is no such rule; ${category.name} has ${known}`;
  return issue.keys.map((key) => ({ place: [key], message }));
}

/** The rules of a category as JSON Schema, as they are written. */
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

/** What an administrator has said of a stored policy. */
export const documentOf = (record: PolicyRecord): PolicyDocument => ({
  name: record.name,
  description: record.description,
  category: record.category,
  rules: JSON.parse(record.rules) as Record<string, unknown>,
  scope: JSON.parse(record.scope) as PolicyScope,
  priority: record.priority,
  enabled: record.enabled !== 0,
});

/** RFC 7396: objects are merged, null takes a member away, anything else takes its place. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch))
    if (value === null) result.delete(name);
    else result.set(name, merged(result.get(name), value));
  return Object.fromEntries(result);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Would storing the one over the other change anything? */
export const isSame = (a: PolicyDocument, b: PolicyDocument): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** Members in one order, whatever order they were written in. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
