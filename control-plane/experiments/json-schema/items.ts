import { applySchema, applyToChild } from './apply.ts';
import { length } from './assertions.ts';
import { type Budget, chargeSteps } from './budget.ts';
import {
  type Failure,
  failureAt,
  type Instance,
  type Keyword,
  type SchemaNode,
  SchemaProblem,
} from './schema-node.ts';

/** Applies a schema to one item, and marks the item as evaluated. */
function applyToItem(
  node: SchemaNode,
  { value, path, evaluated }: Instance,
  at: number,
  budget: Budget,
): Failure | undefined {
  evaluated.items.add(at);
  return applyToChild(node, (value as unknown[])[at], { path, key: at }, budget);
}

const prefixItems: Keyword = (value, { reader, where }) => {
  const nodes = reader.schemas(value, where);
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    const length = Math.min(nodes.length, instance.value.length);
    for (let at = 0; at < length; at += 1) {
      const failure = applyToItem(nodes[at] as SchemaNode, instance, at, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

const items: Keyword = (value, { reader, where, siblings }) => {
  if (Array.isArray(value))
    throw new SchemaProblem(where, 'expected one schema: use prefixItems for an array of schemas');
  const node = reader.schema(value, where);
  const from = Array.isArray(siblings.prefixItems) ? siblings.prefixItems.length : 0;
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    for (let at = from; at < instance.value.length; at += 1) {
      const failure = applyToItem(node, instance, at, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

const contains: Keyword = (value, { reader, where, siblings }) => {
  const node = reader.schema(value, where);
  const limit = (name: 'minContains' | 'maxContains', otherwise: number): number =>
    siblings[name] === undefined
      ? otherwise
      : length(siblings[name], where.replace(/contains$/, name));
  const [least, most] = [limit('minContains', 1), limit('maxContains', Infinity)];
  const wanted = most === Infinity ? `at least ${least}` : `at least ${least} and at most ${most}`;
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    let found = 0;
    for (const [at, item] of instance.value.entries()) {
      const { failure } = applySchema(node, { value: item, path: instance.path }, budget);
      if (failure) continue;
      instance.evaluated.items.add(at);
      found += 1;
    }
    return found >= least && found <= most
      ? undefined
      : failureAt(instance, `${wanted} items that match the schema in contains, found ${found}`);
  };
};

const count: Keyword = (value, { where }) => {
  length(value, where);
  return undefined;
};

const unevaluatedItems: Keyword = (value, { reader, where }) => {
  const node = reader.schema(value, where);
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    for (const at of instance.value.keys()) {
      chargeSteps(budget, 1);
      if (instance.evaluated.items.has(at)) continue;
      const failure = applyToItem(node, instance, at, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

/** Keywords that apply schemas to the items of an array. */
export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  prefixItems,
  items,
  contains,
  // These have no effect without `contains`, but are validated.
  minContains: count,
  maxContains: count,
};

/** Applied last, after all other keywords have marked what they evaluated. */
export const lastArrayKeywords: Readonly<Record<string, Keyword>> = { unevaluatedItems };
