import type { Run } from '../data/run-sources.ts';

/** What one side of a turn said: as text where it is one, else as the data that were recorded. */
export type Said = { title: string } & ({ text: string } | { data: Record<string, unknown> });

export interface Turn {
  asked: Said | undefined;
  answered: Said | undefined;
}

type Recorded = Pick<Run, 'inputs' | 'result'> & {
  llm_calls: readonly Pick<Run['llm_calls'][number], 'prompt_preview' | 'response_preview'>[];
};

/**
 * What a run was asked and answered: its inputs and result; where an agent records none, the
 * prompt of its first LLM call and the response of its last.
 */
export function turnOf({ inputs, result, llm_calls }: Recorded): Turn {
  const prompt = llm_calls.at(0)?.prompt_preview;
  const response = llm_calls.at(-1)?.response_preview;
  return {
    asked: saidIn('Input', inputs) ?? text('First prompt', prompt),
    answered: saidIn('Result', result) ?? text('Last response', response),
  };
}

/** An object with a single text says that text. */
function saidIn(title: string, data: Record<string, unknown> | null): Said | undefined {
  const values = Object.values(data ?? {});
  if (data === null || values.length === 0) return undefined;
  const [first] = values;
  return values.length === 1 && typeof first === 'string' ? text(title, first) : { title, data };
}

const text = (title: string, said: string | undefined): Said | undefined =>
  said ? { title, text: said } : undefined;
