import { type Budget, chargeSteps, withDepth } from './budget.ts';
import type { Evaluated, Failure, Instance, Path, SchemaNode } from './schema-node.ts';

export interface Applied {
  failure: Failure | undefined;
  evaluated: Evaluated;
}

/** Applies a schema to a value. The result is the first failure. */
export const applySchema = (
  node: SchemaNode,
  { value, path }: { value: unknown; path: Path | undefined },
  budget: Budget,
): Applied =>
  withDepth(budget, () => {
    const evaluated: Evaluated = { members: new Set(), items: new Set() };
    for (const check of node.checks) {
      const failure = check({ value, path, evaluated }, budget);
      if (failure) return { failure, evaluated };
    }
    return { failure: undefined, evaluated };
  });

/** Applies a schema to the same value, and adds what it evaluated to the instance. */
export function applyInPlace(
  node: SchemaNode,
  instance: Instance,
  budget: Budget,
): Failure | undefined {
  const { failure, evaluated } = applySchema(node, instance, budget);
  if (!failure) addEvaluated(instance.evaluated, evaluated, budget);
  return failure;
}

export function addEvaluated(into: Evaluated, from: Evaluated, budget: Budget): void {
  chargeSteps(budget, from.members.size + from.items.size);
  for (const name of from.members) into.members.add(name);
  for (const at of from.items) into.items.add(at);
}

/** Applies a schema to a member or an item of a value. */
export const applyToChild = (
  node: SchemaNode,
  value: unknown,
  { path, key }: { path: Path | undefined; key: string | number },
  budget: Budget,
): Failure | undefined => applySchema(node, { value, path: { parent: path, key } }, budget).failure;
