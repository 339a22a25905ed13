/** The part of JSON Schema that the rules of categories use. */
export interface RuleSchema {
  type?: string;
  anyOf?: readonly RuleSchema[];
  enum?: readonly unknown[];
  items?: RuleSchema;
  properties?: Record<string, RuleSchema>;
  required?: readonly string[];
  additionalProperties?: RuleSchema | boolean;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  description?: string;
}

/** The form control of a rule. */
export type RuleKind =
  | { kind: 'number'; whole: boolean; min?: number; max?: number }
  | { kind: 'text' }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'list'; of: 'number' | 'text' }
  | { kind: 'several'; options: readonly string[] }
  | { kind: 'group'; fields: Record<string, RuleSchema>; optional: boolean }
  | { kind: 'groups'; fields: Record<string, RuleSchema> }
  | { kind: 'named'; value: RuleSchema }
  | { kind: 'json' };

/** Chooses the form control for a schema. Schemas without a specific control are edited as JSON. */
export function kindOf(schema: RuleSchema): RuleKind {
  const [inner, isNullable] = withoutNull(schema);
  if (isStrings(inner.enum)) return { kind: 'choice', options: inner.enum };
  switch (inner.type) {
    case 'integer':
    case 'number':
      return numberKind(inner);
    case 'string':
      return { kind: 'text' };
    case 'boolean':
      return { kind: 'switch' };
    case 'array':
      return listKind(inner.items ?? {});
    case 'object':
      return objectKind(inner, isNullable);
    default:
      return { kind: 'json' };
  }
}

function withoutNull(schema: RuleSchema): [schema: RuleSchema, isNullable: boolean] {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (!only || others.length > 0) return [schema, false];
  return [only, schema.anyOf?.length === 2];
}

const isStrings = (values: readonly unknown[] | undefined): values is readonly string[] =>
  values?.every((value) => typeof value === 'string') ?? false;

const numberKind = ({ type, minimum, maximum }: RuleSchema): RuleKind => ({
  kind: 'number',
  whole: type === 'integer',
  ...(minimum !== undefined && { min: minimum }),
  ...(maximum !== undefined && { max: maximum }),
});

function listKind(items: RuleSchema): RuleKind {
  const item = kindOf(items);
  if (item.kind === 'choice') return { kind: 'several', options: item.options };
  if (item.kind === 'number' || item.kind === 'text') return { kind: 'list', of: item.kind };
  if (item.kind === 'group') return { kind: 'groups', fields: item.fields };
  return { kind: 'json' };
}

function objectKind(schema: RuleSchema, optional: boolean): RuleKind {
  const { properties, additionalProperties } = schema;
  if (properties) return { kind: 'group', fields: properties, optional };
  if (typeof additionalProperties === 'object')
    return { kind: 'named', value: additionalProperties };
  return { kind: 'json' };
}
