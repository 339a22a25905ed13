import { packNumbers, unpackNumbers } from './numbers.ts';

/**
 * The fields by which lists of calls are filtered, sorted and totalled. The index stores them per
 * segment.
 */
export interface CallFields {
  id: number;
  created_at: number;
  total_tokens: number;
  cost: number;
  model: string;
  agent_name: string;
}

export const FIELD_NAMES = [
  'id',
  'created_at',
  'total_tokens',
  'cost',
  'model',
  'agent_name',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/**
 * Returns the column of `search_segments` that stores a field. `id` there is the id of the segment,
 * so call ids are in `call_ids`.
 */
export const columnOf = (name: FieldName): FieldColumn => (name === 'id' ? 'call_ids' : name);
type FieldColumn = Exclude<FieldName, 'id'> | 'call_ids';
export const FIELD_COLUMNS = FIELD_NAMES.map(columnOf);

/**
 * The columns of one segment, encoded. `models` and `agents` are the JSON dictionaries of `model`
 * and `agent_name`.
 */
export type PackedFields = Record<FieldColumn, Uint8Array> & { models: string; agents: string };

/** A dictionary-encoded column: `codes` are indices into `names`. */
export interface DictionaryColumn {
  codes: Float64Array;
  names: readonly string[];
}

/** The fields of calls as parallel arrays. */
export interface SegmentFields {
  id: Float64Array;
  created_at: Float64Array;
  total_tokens: Float64Array;
  cost: Float64Array;
  model: DictionaryColumn;
  agent_name: DictionaryColumn;
}

export function packFields(calls: readonly CallFields[]): PackedFields {
  const models = dictionaryOf(calls.map(({ model }) => model));
  const agents = dictionaryOf(calls.map(({ agent_name }) => agent_name));
  return {
    call_ids: packNumbers(calls.map(({ id }) => id)),
    created_at: packNumbers(calls.map(({ created_at }) => created_at)),
    total_tokens: packNumbers(calls.map(({ total_tokens }) => total_tokens)),
    cost: packNumbers(calls.map(({ cost }) => cost)),
    model: packNumbers(models.codes),
    agent_name: packNumbers(agents.codes),
    models: JSON.stringify(models.names),
    agents: JSON.stringify(agents.names),
  };
}

/**
 * Decodes the named fields of the calls with these ordinals. `count` is the size of the segment.
 */
export function unpackFields<F extends FieldName>(
  packed: Partial<PackedFields>,
  names: readonly F[],
  calls: { count: number; ordinals: Int32Array },
): Pick<SegmentFields, F> {
  const unpacked = names.map((name) => {
    const numbers = unpackNumbers(packed[columnOf(name)] as Uint8Array, calls);
    if (name !== 'model' && name !== 'agent_name') return [name, numbers];
    const dictionary = name === 'model' ? packed.models : packed.agents;
    return [name, { codes: numbers, names: JSON.parse(dictionary ?? '[]') as string[] }];
  });
  return Object.fromEntries(unpacked) as Pick<SegmentFields, F>;
}

/** Decodes all calls of a segment, one object each. */
export function callsOf(packed: PackedFields, count: number): CallFields[] {
  const ordinals = Int32Array.from({ length: count }, (_, ordinal) => ordinal);
  const fields: SegmentFields = unpackFields(packed, FIELD_NAMES, { count, ordinals });
  const nameAt = ({ codes, names }: DictionaryColumn, at: number): string =>
    names[codes[at] as number] as string;
  return Array.from({ length: count }, (_, at) => ({
    id: fields.id[at] as number,
    created_at: fields.created_at[at] as number,
    total_tokens: fields.total_tokens[at] as number,
    cost: fields.cost[at] as number,
    model: nameAt(fields.model, at),
    agent_name: nameAt(fields.agent_name, at),
  }));
}

function dictionaryOf(texts: readonly string[]): { codes: number[]; names: string[] } {
  const codeOf = new Map<string, number>();
  const codes = texts.map((text) => {
    const code = codeOf.get(text) ?? codeOf.size;
    codeOf.set(text, code);
    return code;
  });
  return { codes, names: [...codeOf.keys()] };
}
