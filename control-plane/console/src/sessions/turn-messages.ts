import { t } from '@lingui/core/macro';
import type { Run } from '../data/run-sources.ts';
import type { Source } from '../messages/source.ts';

type Data = Run['inputs'];
type Call = Pick<Run['llm_calls'][number], 'id'>;

/** One side of a turn: a recorded value, or the id of the LLM call that contains it. */
export type Side = { recorded: Source } | { callId: number } | undefined;

export interface Turn {
  input: Side;
  output: Side;
}

type Recorded = Pick<Run, 'inputs' | 'result'> & { llm_calls: readonly Call[] };

/**
 * The input and output of a run: its inputs and result, otherwise the prompt of its first LLM call
 * and the response of its last one.
 */
export const turnOf = ({ inputs, result, llm_calls }: Recorded): Turn => ({
  input: sideOf(inputs, llm_calls.at(0), { title: t`Input`, role: 'user' }),
  output: sideOf(result, llm_calls.at(-1), { title: t`Result`, role: 'assistant' }),
});

function sideOf(data: Data, call: Call | undefined, as: Pick<Source, 'title' | 'role'>): Side {
  const values = Object.values(data ?? {}).filter((value) => value !== '');
  if (values.length > 0) return { recorded: { ...as, value: data } };
  return call && { callId: call.id };
}
