import { observeCopies, observeMethod, type WrapOptions, callObserver } from './observe-method.ts';
import {
  field,
  addTool,
  type CallReader,
  type Json,
  list,
  number,
  readerOf,
  type ReadState,
  text,
  setCommonFields,
} from './call-reader.ts';
import { providerAt } from './provider-at.ts';

/** Reads Anthropic messages. Their input tokens exclude cached tokens, which are added here. */
export const messageReader = (body: unknown): CallReader =>
  readerOf({
    body,
    prompt: field(body, 'messages'),
    update: (state, value, isEvent) => {
      const whole = isEvent ? field(value, 'message') : value;
      setCommonFields(state, whole, undefined);
      // The first event of a stream has the input tokens, later events the output tokens so far.
      const usage = field(whole, 'usage') ?? field(value, 'usage');
      if (typeof usage === 'object')
        state.usage = { ...(state.usage as Json | undefined), ...nonNull(usage as Json) };
      const reason = field(whole, 'stop_reason') ?? field(value, 'delta', 'stop_reason');
      state.finishReason = text(reason) || state.finishReason;
      if (isEvent) readEvent(state, value);
      else
        for (const [index, block] of list(field(value, 'content')).entries())
          readBlock(state, index, block);
    },
    tokens: (usage) => {
      const cacheReadTokens = number(field(usage, 'cache_read_input_tokens'));
      const cacheWriteTokens = number(field(usage, 'cache_creation_input_tokens'));
      return {
        tokensIn: number(field(usage, 'input_tokens')) + cacheReadTokens + cacheWriteTokens,
        tokensOut: number(field(usage, 'output_tokens')),
        cacheReadTokens,
        cacheWriteTokens,
      };
    },
  });

function readBlock(state: ReadState, index: number, block: unknown): void {
  state.response += text(field(block, 'text'));
  if (field(block, 'type') === 'tool_use')
    addTool(state, index, {
      id: field(block, 'id'),
      name: field(block, 'name'),
      arguments: field(block, 'input'),
    });
}

function readEvent(state: ReadState, event: unknown): void {
  const index = number(field(event, 'index'));
  const begun = field(event, 'content_block');
  // The input of a block is empty at its start. Its JSON follows in pieces.
  if (field(begun, 'type') === 'tool_use')
    addTool(state, index, { id: field(begun, 'id'), name: field(begun, 'name') });
  state.response += text(field(event, 'delta', 'text'));
  const json = field(event, 'delta', 'partial_json');
  if (typeof json === 'string' && state.tools.has(index))
    addTool(state, index, { arguments: json });
}

const nonNull = (usage: Json): Json =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));

/**
 * Records the messages of an Anthropic client as LLM calls. Modifies the client in place and
 * returns it.
 */
export function wrapAnthropic<T extends object>(client: T, options: WrapOptions = {}): T {
  const provider = providerAt(field(client, 'baseURL')) ?? 'anthropic';
  const watching = callObserver({ provider, ...options });
  for (const resource of [field(client, 'messages'), field(client, 'beta', 'messages')])
    observeMethod(resource, 'create', (body) => watching(body, messageReader(body)));
  observeCopies(client, (copy) => wrapAnthropic(copy, options));
  return client;
}
