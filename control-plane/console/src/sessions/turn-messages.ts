import type { Run } from '../data/run-sources.ts';

/** One side of a turn: text, or the recorded data if they are not a single text. */
export type TurnMessage = { title: string } & (
  | { text: string }
  | { data: Record<string, unknown> }
);

export interface Turn {
  input: TurnMessage | undefined;
  output: TurnMessage | undefined;
}

type Recorded = Pick<Run, 'inputs' | 'result'> & {
  llm_calls: readonly Pick<Run['llm_calls'][number], 'prompt_preview' | 'response_preview'>[];
};

/**
 * Input and output of a run: its inputs and result, else the prompt of its first LLM call and the
 * response of its last.
 */
export function turnOf({ inputs, result, llm_calls }: Recorded): Turn {
  const prompt = llm_calls.at(0)?.prompt_preview;
  const response = llm_calls.at(-1)?.response_preview;
  return {
    input: messageOf('Input', inputs) ?? textMessage('First prompt', prompt),
    output: messageOf('Result', result) ?? textMessage('Last response', response),
  };
}

/** An object with a single string becomes text. */
function messageOf(title: string, data: Record<string, unknown> | null): TurnMessage | undefined {
  const values = Object.values(data ?? {});
  if (data === null || values.length === 0) return undefined;
  const [first] = values;
  return values.length === 1 && typeof first === 'string'
    ? textMessage(title, first)
    : { title, data };
}

const textMessage = (title: string, text: string | undefined): TurnMessage | undefined =>
  text ? { title, text } : undefined;
