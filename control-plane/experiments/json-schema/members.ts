import type { RE2JS } from 're2js';
import { applySchema, applyToChild } from './apply.ts';
import { type Budget, namesOf, chargeSteps, matches } from './budget.ts';
import {
  type Check,
  type Failure,
  type Instance,
  isObject,
  type Keyword,
  type Path,
  type Reader,
  type SchemaNode,
  SchemaProblem,
} from './schema-node.ts';

/** Applies a schema to one member, and marks the member as evaluated. */
function applyToMember(
  node: SchemaNode,
  { value, path, evaluated }: Instance,
  name: string,
  budget: Budget,
): Failure | undefined {
  evaluated.members.add(name);
  const member = (value as Record<string, unknown>)[name];
  return applyToChild(node, member, { path, key: name }, budget);
}

const properties: Keyword = (value, { reader, where }) => {
  const nodes = reader.members(value, where);
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    chargeSteps(budget, nodes.length);
    for (const [name, node] of nodes) {
      if (!Object.hasOwn(instance.value, name)) continue;
      const failure = applyToMember(node, instance, name, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

function patternsIn(value: unknown, reader: Reader, where: string): RE2JS[] {
  if (!isObject(value)) throw new SchemaProblem(where, 'expected an object');
  return Object.keys(value).map((source) => reader.pattern(source, where));
}

const patternProperties: Keyword = (value, { reader, where }) => {
  const matchers = patternsIn(value, reader, where);
  const nodes = reader.members(value, where).map(([, node]) => node);
  return (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    for (const name of namesOf(instance.value, budget)) {
      chargeSteps(budget, 1);
      for (const [at, node] of nodes.entries()) {
        if (!matches(matchers[at] as RE2JS, name, budget)) continue;
        const failure = applyToMember(node, instance, name, budget);
        if (failure) return failure;
      }
    }
    return undefined;
  };
};

/** Applies a schema to the members that pass a test. */
const toOthers =
  (
    node: SchemaNode,
    isOther: (name: string, instance: Instance, budget: Budget) => boolean,
  ): Check =>
  (instance, budget) => {
    if (!isObject(instance.value)) return undefined;
    for (const name of namesOf(instance.value, budget)) {
      chargeSteps(budget, 1);
      if (!isOther(name, instance, budget)) continue;
      const failure = applyToMember(node, instance, name, budget);
      if (failure) return failure;
    }
    return undefined;
  };

const additionalProperties: Keyword = (value, { reader, where, siblings }) => {
  const node = reader.schema(value, where);
  const named = new Set(isObject(siblings.properties) ? Object.keys(siblings.properties) : []);
  const { patternProperties: given = {} } = siblings;
  const matchers = patternsIn(given, reader, where);
  return toOthers(
    node,
    (name, _instance, budget) =>
      !named.has(name) && !matchers.some((matcher) => matches(matcher, name, budget)),
  );
};

const unevaluatedProperties: Keyword = (value, { reader, where }) =>
  toOthers(reader.schema(value, where), (name, { evaluated }) => !evaluated.members.has(name));

const propertyNames: Keyword = (value, { reader, where }) => {
  const node = reader.schema(value, where);
  return ({ value: object, path }, budget) => {
    if (!isObject(object)) return undefined;
    for (const name of namesOf(object, budget)) {
      const at: Path = { parent: path, key: name, isName: true };
      const { failure } = applySchema(node, { value: name, path: at }, budget);
      if (failure) return failure;
    }
    return undefined;
  };
};

/** Keywords that apply schemas to the members of an object. */
export const objectKeywords: Readonly<Record<string, Keyword>> = {
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
};

/** Applied last, after all other keywords have marked what they evaluated. */
export const lastObjectKeywords: Readonly<Record<string, Keyword>> = { unevaluatedProperties };
