import type { LlmCall } from '../recording/types.ts';
import type { AnswerReader } from './observe-create.ts';

type Json = { readonly [field: string]: unknown };

/** Reads a nested field of an untrusted value; undefined if the path does not exist. */
export const field = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Json)[name] : undefined,
    value,
  );

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Preview of a prompt: text unchanged, messages as JSON. */
const previewOf = (prompt: unknown): string =>
  typeof prompt === 'string' ? prompt : (JSON.stringify(prompt) ?? '');

interface ReadState {
  model: string;
  id: string;
  usage: unknown;
  response: string;
}

/** A reader that collects the latest model, id and usage, and all text. */
function readerOf(
  body: unknown,
  prompt: unknown,
  look: (state: ReadState, value: unknown, isEvent: boolean) => void,
  tokens: (usage: unknown) => Pick<LlmCall, 'tokensIn' | 'tokensOut'> & Partial<LlmCall>,
): AnswerReader {
  const state: ReadState = {
    model: text(field(body, 'model')),
    id: '',
    usage: undefined,
    response: '',
  };
  return {
    read: (answer) => look(state, answer, false),
    add: (event) => look(state, event, true),
    call: () => ({
      model: state.model,
      ...(state.id && { responseId: state.id }),
      ...tokens(state.usage),
      promptPreview: previewOf(prompt),
      responsePreview: state.response,
    }),
  };
}

/** Updates model, id and usage from a response, or from an event with these fields. */
function update(state: ReadState, answer: unknown, usage: unknown): void {
  state.model = text(field(answer, 'model')) || state.model;
  state.id = text(field(answer, 'id')) || state.id;
  if (typeof usage === 'object' && usage !== null) state.usage = usage;
}

/** Chat completions of OpenAI and compatible providers. Input tokens include cached tokens. */
export const chatCompletionReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'messages'),
    (state, value, isEvent) => {
      update(state, value, field(value, 'usage'));
      const key = isEvent ? 'delta' : 'message';
      state.response += text(field(value, 'choices', 0, key, 'content'));
    },
    (usage) => ({
      tokensIn: number(field(usage, 'prompt_tokens')),
      tokensOut: number(field(usage, 'completion_tokens')),
      cacheReadTokens: number(field(usage, 'prompt_tokens_details', 'cached_tokens')),
    }),
  );

/** OpenAI responses. The last event of a stream contains the whole response. */
export const responseReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'input'),
    (state, value, isEvent) => {
      const whole = isEvent ? field(value, 'response') : value;
      update(state, whole, field(whole, 'usage'));
      if (!isEvent) state.response = text(field(value, 'output_text'));
      else if (field(value, 'type') === 'response.output_text.delta')
        state.response += text(field(value, 'delta'));
    },
    (usage) => ({
      tokensIn: number(field(usage, 'input_tokens')),
      tokensOut: number(field(usage, 'output_tokens')),
      cacheReadTokens: number(field(usage, 'input_tokens_details', 'cached_tokens')),
    }),
  );

export const embeddingReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'input'),
    (state, value) => update(state, value, field(value, 'usage')),
    (usage) => ({ tokensIn: number(field(usage, 'prompt_tokens')), tokensOut: 0 }),
  );

/** Anthropic messages. Their input tokens exclude cached tokens, which are added here. */
export const messageReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'messages'),
    (state, value, isEvent) => {
      const whole = isEvent ? field(value, 'message') : value;
      update(state, whole, undefined);
      // The first event of a stream has the input tokens, later events the output tokens so far.
      const usage = field(whole, 'usage') ?? field(value, 'usage');
      if (typeof usage === 'object')
        state.usage = { ...(state.usage as Json | undefined), ...nonNull(usage as Json) };
      state.response += isEvent ? text(field(value, 'delta', 'text')) : textOfBlocks(value);
    },
    (usage) => {
      const cacheReadTokens = number(field(usage, 'cache_read_input_tokens'));
      const cacheWriteTokens = number(field(usage, 'cache_creation_input_tokens'));
      return {
        tokensIn: number(field(usage, 'input_tokens')) + cacheReadTokens + cacheWriteTokens,
        tokensOut: number(field(usage, 'output_tokens')),
        cacheReadTokens,
        cacheWriteTokens,
      };
    },
  );

const nonNull = (usage: Json): Json =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));

function textOfBlocks(message: unknown): string {
  const blocks = field(message, 'content');
  if (!Array.isArray(blocks)) return '';
  return blocks.map((block: unknown) => text(field(block, 'text'))).join('');
}
