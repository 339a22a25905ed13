import type { LlmCall } from '../recording/types.ts';
import type { AnswerReader } from './observe-create.ts';

type Json = { readonly [field: string]: unknown };

/** Answers are what a provider sends: nothing about their shape is taken for granted. */
export const field = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Json)[name] : undefined,
    value,
  );

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a prompt shows as: text as it is, messages as JSON. */
const previewOf = (prompt: unknown): string =>
  typeof prompt === 'string' ? prompt : (JSON.stringify(prompt) ?? '');

interface Seen {
  model: string;
  id: string;
  usage: unknown;
  response: string;
}

/** A reader that keeps the newest model, id and usage it sees, and all text. */
function readerOf(
  body: unknown,
  prompt: unknown,
  look: (seen: Seen, value: unknown, isEvent: boolean) => void,
  tokens: (usage: unknown) => Pick<LlmCall, 'tokensIn' | 'tokensOut'> & Partial<LlmCall>,
): AnswerReader {
  const seen: Seen = {
    model: text(field(body, 'model')),
    id: '',
    usage: undefined,
    response: '',
  };
  return {
    read: (answer) => look(seen, answer, false),
    add: (event) => look(seen, event, true),
    call: () => ({
      model: seen.model,
      ...(seen.id && { responseId: seen.id }),
      ...tokens(seen.usage),
      promptPreview: previewOf(prompt),
      responsePreview: seen.response,
    }),
  };
}

/** `answer` is the whole of it, or a part that tells of the whole. */
function keep(seen: Seen, answer: unknown, usage: unknown): void {
  seen.model = text(field(answer, 'model')) || seen.model;
  seen.id = text(field(answer, 'id')) || seen.id;
  if (typeof usage === 'object' && usage !== null) seen.usage = usage;
}

/** OpenAI's chat completions, and what speaks like them. Cached tokens are part of the input. */
export const chatCompletionReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'messages'),
    (seen, value, isEvent) => {
      keep(seen, value, field(value, 'usage'));
      const place = isEvent ? 'delta' : 'message';
      seen.response += text(field(value, 'choices', 0, place, 'content'));
    },
    (usage) => ({
      tokensIn: number(field(usage, 'prompt_tokens')),
      tokensOut: number(field(usage, 'completion_tokens')),
      cacheReadTokens: number(field(usage, 'prompt_tokens_details', 'cached_tokens')),
    }),
  );

/** OpenAI's responses; a stream ends with an event that holds the whole of it. */
export const responseReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'input'),
    (seen, value, isEvent) => {
      const whole = isEvent ? field(value, 'response') : value;
      keep(seen, whole, field(whole, 'usage'));
      if (!isEvent) seen.response = text(field(value, 'output_text'));
      else if (field(value, 'type') === 'response.output_text.delta')
        seen.response += text(field(value, 'delta'));
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
    (seen, value) => keep(seen, value, field(value, 'usage')),
    (usage) => ({ tokensIn: number(field(usage, 'prompt_tokens')), tokensOut: 0 }),
  );

/** Anthropic's messages. Its input tokens leave the cached ones out; here they are part of it. */
export const messageReader = (body: unknown): AnswerReader =>
  readerOf(
    body,
    field(body, 'messages'),
    (seen, value, isEvent) => {
      const whole = isEvent ? field(value, 'message') : value;
      keep(seen, whole, undefined);
      // The start of a stream tells the input, later events what has come out so far.
      const usage = field(whole, 'usage') ?? field(value, 'usage');
      if (typeof usage === 'object')
        seen.usage = { ...(seen.usage as Json | undefined), ...known(usage as Json) };
      seen.response += isEvent ? text(field(value, 'delta', 'text')) : textOfBlocks(value);
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

const known = (usage: Json): Json =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));

function textOfBlocks(message: unknown): string {
  const blocks = field(message, 'content');
  if (!Array.isArray(blocks)) return '';
  return blocks.map((block: unknown) => text(field(block, 'text'))).join('');
}
