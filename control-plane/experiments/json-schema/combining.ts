import { applySchema, applyInPlace, addEvaluated } from './apply.ts';
import { chargeSteps } from './budget.ts';
import { failureAt, isObject, type Keyword, type SchemaNode } from './schema-node.ts';

const reference: Keyword = (target, { reader, where }) => {
  const find = reader.reference(target, where);
  return (instance, budget) => applyInPlace(find(), instance, budget);
};

const allOf: Keyword = (value, { reader, where }) => {
  const nodes = reader.schemas(value, where);
  return (instance, budget) => {
    for (const node of nodes) {
      const failure = applyInPlace(node, instance, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

/** Applies all schemas even after one that matches, because each may evaluate other members. */
const anyOf: Keyword = (value, { reader, where }) => {
  const nodes = reader.schemas(value, where);
  return (instance, budget) =>
    nodes.filter((node) => !applyInPlace(node, instance, budget)).length > 0
      ? undefined
      : failureAt(instance, 'a value that matches one of the schemas in anyOf');
};

const oneOf: Keyword = (value, { reader, where }) => {
  const nodes = reader.schemas(value, where);
  return (instance, budget) => {
    const fitting = nodes.filter((node) => !applyInPlace(node, instance, budget)).length;
    return fitting === 1
      ? undefined
      : failureAt(
          instance,
          `a value that matches exactly one of the schemas in oneOf, but it matches ${fitting}`,
        );
  };
};

const not: Keyword = (value, { reader, where }) => {
  const node = reader.schema(value, where);
  return (instance, budget) =>
    applySchema(node, instance, budget).failure
      ? undefined
      : failureAt(instance, 'a value that does not match the schema in not');
};

const conditional: Keyword = (value, { reader, where, siblings }) => {
  const test = reader.schema(value, where);
  const branch = (name: 'then' | 'else'): SchemaNode | undefined =>
    siblings[name] === undefined
      ? undefined
      : reader.schema(siblings[name], where.replace(/if$/, name));
  const [then, otherwise] = [branch('then'), branch('else')];
  return (instance, budget) => {
    const { failure, evaluated } = applySchema(test, instance, budget);
    if (!failure) addEvaluated(instance.evaluated, evaluated, budget);
    const next = failure ? otherwise : then;
    return next && applyInPlace(next, instance, budget);
  };
};

const dependentSchemas: Keyword = (value, { reader, where }) => {
  const nodes = reader.members(value, where);
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    chargeSteps(budget, nodes.length);
    for (const [name, node] of nodes) {
      if (!Object.hasOwn(instance.value, name)) continue;
      const failure = applyInPlace(node, instance, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

/** Keywords that apply other schemas to the same value. */
export const combining: Readonly<Record<string, Keyword>> = {
  $ref: reference,
  allOf,
  anyOf,
  oneOf,
  not,
  if: conditional,
  dependentSchemas,
};
