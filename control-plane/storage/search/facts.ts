import { packNumbers, unpackNumbers } from './numbers.ts';

/** Facts that lists filter by, sort by and aggregate, stored in the index beside the words. */
export interface CallFacts {
  id: number;
  created_at: number;
  total_tokens: number;
  cost: number;
  model: string;
  agent_name: string;
}

export const FACT_NAMES = [
  'id',
  'created_at',
  'total_tokens',
  'cost',
  'model',
  'agent_name',
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/** The segment column with a fact of its calls; `id` is the segment's own. */
export const columnOf = (name: FactName): FactColumn => (name === 'id' ? 'call_ids' : name);
type FactColumn = Exclude<FactName, 'id'> | 'call_ids';
export const FACT_COLUMNS = FACT_NAMES.map(columnOf);

/**
 * One column per fact; `models` and `agents` are the names that `model` and `agent_name` refer to
 * by number.
 */
export type PackedFacts = Record<FactColumn, Uint8Array> & { models: string; agents: string };

export interface Numbered {
  of: Float64Array;
  names: readonly string[];
}

/** Facts of calls as parallel arrays. */
export interface SegmentFacts {
  id: Float64Array;
  created_at: Float64Array;
  total_tokens: Float64Array;
  cost: Float64Array;
  model: Numbered;
  agent_name: Numbered;
}

export function packFacts(calls: readonly CallFacts[]): PackedFacts {
  const models = numbering(calls.map(({ model }) => model));
  const agents = numbering(calls.map(({ agent_name }) => agent_name));
  return {
    call_ids: packNumbers(calls.map(({ id }) => id)),
    created_at: packNumbers(calls.map(({ created_at }) => created_at)),
    total_tokens: packNumbers(calls.map(({ total_tokens }) => total_tokens)),
    cost: packNumbers(calls.map(({ cost }) => cost)),
    model: packNumbers(models.of),
    agent_name: packNumbers(agents.of),
    models: JSON.stringify(models.names),
    agents: JSON.stringify(agents.names),
  };
}

/** Decodes facts of the calls with these ordinals in a segment. */
export function unpackFacts<F extends FactName>(
  packed: Partial<PackedFacts>,
  names: readonly F[],
  of: { count: number; ordinals: Int32Array },
): Pick<SegmentFacts, F> {
  const unpacked = names.map((name) => {
    const numbers = unpackNumbers(packed[columnOf(name)] as Uint8Array, of);
    if (name !== 'model' && name !== 'agent_name') return [name, numbers];
    const all = name === 'model' ? packed.models : packed.agents;
    return [name, { of: numbers, names: JSON.parse(all ?? '[]') as string[] }];
  });
  return Object.fromEntries(unpacked) as Pick<SegmentFacts, F>;
}

/** All facts of all calls of a segment, one object each. */
export function callsOf(packed: PackedFacts, count: number): CallFacts[] {
  const ordinals = Int32Array.from({ length: count }, (_, ordinal) => ordinal);
  const facts: SegmentFacts = unpackFacts(packed, FACT_NAMES, { count, ordinals });
  const nameAt = ({ of, names }: Numbered, at: number): string => names[of[at] as number] as string;
  return Array.from({ length: count }, (_, at) => ({
    id: facts.id[at] as number,
    created_at: facts.created_at[at] as number,
    total_tokens: facts.total_tokens[at] as number,
    cost: facts.cost[at] as number,
    model: nameAt(facts.model, at),
    agent_name: nameAt(facts.agent_name, at),
  }));
}

function numbering(texts: readonly string[]): { of: number[]; names: string[] } {
  const numbers = new Map<string, number>();
  const of = texts.map((text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
  return { of, names: [...numbers.keys()] };
}
