import { apply, applyWithin } from './apply.ts';
import { type Budget, spend } from './budget.ts';
import {
  type Failure,
  failureAt,
  type Instance,
  type Keyword,
  type SchemaNode,
  SchemaProblem,
} from './schema-node.ts';

/** Applies a schema to one item, which is evaluated then. */
function applyToItem(
  node: SchemaNode,
  { value, path, evaluated }: Instance,
  at: number,
  budget: Budget,
): Failure | undefined {
  evaluated.items.add(at);
  return applyWithin(node, (value as unknown[])[at], { path, key: at }, budget);
}

const prefixItems: Keyword = (value, { reader, where }) => {
  const nodes = reader.schemas(value, where);
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    const { length } = instance.value;
    for (const [at, node] of nodes.slice(0, length).entries()) {
      const failure = applyToItem(node, instance, at, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

const items: Keyword = (value, { reader, where, siblings }) => {
  if (Array.isArray(value))
    throw new SchemaProblem(where, 'expected one schema: an array of them is prefixItems');
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
  const { minContains: least = 1, maxContains: most = Infinity } = siblings;
  for (const count of [least, most])
    if (typeof count !== 'number' || count < 0)
      throw new SchemaProblem(where, 'expected numbers as minContains and maxContains');
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    let found = 0;
    for (const [at, item] of instance.value.entries()) {
      const { failure } = apply(node, { value: item, path: instance.path }, budget);
      if (failure) continue;
      instance.evaluated.items.add(at);
      found += 1;
    }
    return found >= (least as number) && found <= (most as number)
      ? undefined
      : failureAt(instance, `other than ${found} items that the schema of contains describes`);
  };
};

const unevaluatedItems: Keyword = (value, { reader, where }) => {
  const node = reader.schema(value, where);
  return (instance, budget) => {
    if (!Array.isArray(instance.value)) return undefined;
    for (const at of instance.value.keys()) {
      spend(budget, 1);
      if (instance.evaluated.items.has(at)) continue;
      const failure = applyToItem(node, instance, at, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

/** Keywords that apply schemas to the items of an array. */
export const ofItems: Readonly<Record<string, Keyword>> = { prefixItems, items, contains };

/** Last, when all others have evaluated what they do. */
export const lastOfItems: Readonly<Record<string, Keyword>> = { unevaluatedItems };
