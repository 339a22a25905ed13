import type { LlmCall } from '../recording/types.ts';
import {
  addTool,
  type CallReader,
  field,
  list,
  number,
  readerOf,
  type ReadState,
  text,
  setCommonFields,
} from './call-reader.ts';

/**
 * Reads chat completions of OpenAI and compatible providers. Input tokens include cached tokens.
 */
export const chatCompletionReader = (body: unknown): CallReader =>
  readerOf({
    body,
    prompt: field(body, 'messages'),
    update: (state, value, isEvent) => {
      setCommonFields(state, value, field(value, 'usage'));
      const choice = firstChoice(value);
      const message = field(choice, isEvent ? 'delta' : 'message');
      state.finishReason ||= text(field(choice, 'finish_reason'));
      state.response += text(field(message, 'content'));
      for (const [position, tool] of list(field(message, 'tool_calls')).entries()) {
        const index = field(tool, 'index');
        addTool(state, typeof index === 'number' ? index : position, {
          id: field(tool, 'id'),
          name: field(tool, 'function', 'name') ?? field(tool, 'custom', 'name'),
          arguments: field(tool, 'function', 'arguments') ?? field(tool, 'custom', 'input'),
        });
      }
    },
    tokens: (usage) => ({
      tokensIn: number(field(usage, 'prompt_tokens')),
      tokensOut: number(field(usage, 'completion_tokens')),
      cacheReadTokens: number(field(usage, 'prompt_tokens_details', 'cached_tokens')),
      ...reasoningOf(usage, 'completion_tokens_details'),
    }),
  });

/** The only choice that is recorded if a request asks for several (`n`). */
const firstChoice = (value: unknown): unknown =>
  list(field(value, 'choices')).find((choice) => (field(choice, 'index') ?? 0) === 0);

/** Reads OpenAI responses. The last event of a stream contains the whole response. */
export const responseReader = (body: unknown): CallReader =>
  readerOf({
    body,
    prompt: field(body, 'input'),
    update: (state, value, isEvent) => {
      const whole = isEvent ? field(value, 'response') : value;
      setCommonFields(state, whole, field(whole, 'usage'));
      const status = text(field(whole, 'status'));
      if (status !== 'in_progress')
        state.finishReason =
          text(field(whole, 'incomplete_details', 'reason')) || status || state.finishReason;
      if (!isEvent) state.response = text(field(value, 'output_text')) || outputText(value);
      else if (field(value, 'type') === 'response.output_text.delta')
        state.response += text(field(value, 'delta'));
      readOutput(state, field(whole, 'output'));
    },
    tokens: (usage) => ({
      tokensIn: number(field(usage, 'input_tokens')),
      tokensOut: number(field(usage, 'output_tokens')),
      cacheReadTokens: number(field(usage, 'input_tokens_details', 'cached_tokens')),
      ...reasoningOf(usage, 'output_tokens_details'),
    }),
  });

/** The text of a response as it is sent; the client adds `output_text` when it parses it. */
const outputText = (response: unknown): string =>
  list(field(response, 'output'))
    .flatMap((item) => list(field(item, 'content')))
    .map((part) => (field(part, 'type') === 'output_text' ? text(field(part, 'text')) : ''))
    .join('');

function readOutput(state: ReadState, output: unknown): void {
  if (list(output).length === 0) return;
  state.tools.clear();
  for (const [index, item] of list(output).entries()) {
    const type = field(item, 'type');
    if (type !== 'function_call' && type !== 'custom_tool_call') continue;
    addTool(state, index, {
      id: field(item, 'call_id'),
      name: field(item, 'name'),
      arguments: field(item, 'arguments') ?? field(item, 'input'),
    });
  }
}

export const embeddingReader = (body: unknown): CallReader =>
  readerOf({
    body,
    prompt: field(body, 'input'),
    update: (state, value) => setCommonFields(state, value, field(value, 'usage')),
    tokens: (usage) => ({ tokensIn: number(field(usage, 'prompt_tokens')), tokensOut: 0 }),
  });

function reasoningOf(usage: unknown, details: string): Pick<LlmCall, 'reasoningTokens'> {
  const tokens = field(usage, details, 'reasoning_tokens');
  return typeof tokens === 'number' ? { reasoningTokens: tokens } : {};
}
