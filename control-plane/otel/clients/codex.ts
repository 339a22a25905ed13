import type { Attributes } from '../attributes.ts';
import type { LogRecord } from '../logs/log-record.ts';
import { keyedSpanId } from '../span.ts';
import type { OtelSpan } from '../span.ts';
import { splitWords } from '../attribute-aliases.ts';
import {
  type Client,
  countIn,
  type EarlierEvents,
  isFalse,
  definedMembers,
  textIn,
  type Report,
  withoutRedacted,
} from './client.ts';

/**
 * OpenAI's Codex (openai/codex, codex-rs/otel). Input tokens include cached ones, and output tokens
 * include reasoning. It never reports responses or request ids, so a call is identified by its
 * token counts. Most records are events of the response stream.
 */
export const codex: Client = {
  agent: 'codex',
  isScope: (scope) => /^codex(_|$)/.test(scope),
  // Only the prompt has a trace; the events of calls have none.
  followsTraces: false,
  sessionOf: ({ attributes }) => textIn(attributes, 'conversation.id'),
  readEvent(record, earlier) {
    // Codex's own log lines have a source file as their scope.
    if (record.event === '' || !record.event.startsWith('codex.')) return 'ignored';
    const event = record.event.slice('codex.'.length);
    if (ignored.has(event)) return 'ignored';
    return readers[event]?.(record, earlier);
  },
  readSpan,
};

const ignored = new Set(
  splitWords(`
    conversation_starts startup_phase turn_ttft websocket_connect websocket_request
    websocket_event sandbox_outcome
  `),
);

type Reader = (record: LogRecord, earlier: EarlierEvents) => Report | 'ignored';

const readers: Record<string, Reader> = {
  user_prompt: ({ attributes }) => ({
    name: 'user_prompt',
    role: 'prompt',
    attributes: definedMembers({
      ...identity(attributes),
      'gen_ai.operation.name': 'event',
      'input.value': withoutRedacted(textIn(attributes, 'prompt')),
    }),
  }),
  api_request(record, earlier) {
    const { attributes } = record;
    const status = countIn(attributes, 'http.response.status_code') ?? 0;
    const error = textIn(attributes, 'error.message');
    if (status < 400 && error === undefined) {
      earlier.set(keyOf(record), record);
      return 'ignored';
    }
    return {
      ...callOf(attributes),
      duration_ms: countIn(attributes, 'duration_ms') ?? 0,
      error: error ?? `status ${status}`,
    };
  },
  sse_event: readStreamEvent,
  tool_decision: ({ attributes }) => ({
    name: `decision ${toolNameOf(attributes)}`,
    attributes: definedMembers({
      ...identity(attributes),
      'gen_ai.operation.name': 'decision',
      tool: toolNameOf(attributes),
      'gen_ai.tool.call.id': textIn(attributes, 'call_id'),
      decision: textIn(attributes, 'decision'),
      source: textIn(attributes, 'source'),
    }),
  }),
  tool_result: ({ attributes }) => ({
    name: toolNameOf(attributes),
    duration_ms: countIn(attributes, 'duration_ms') ?? 0,
    attributes: definedMembers({
      ...identity(attributes),
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': toolNameOf(attributes),
      'gen_ai.tool.call.id': textIn(attributes, 'call_id'),
      'gen_ai.tool.call.arguments': textIn(attributes, 'arguments'),
      'gen_ai.tool.call.result': textIn(attributes, 'output'),
      'agent.path': textIn(attributes, 'agent_name'),
      ...linesOf(attributes),
    }),
    ...(isFalse(attributes.success) && { error: 'failed' }),
    ...toolCallOf(attributes),
  }),
};

/** Counts the lines that an applied patch changed in files. */
function linesOf(attributes: Attributes) {
  const patch = textIn(attributes, 'arguments');
  if (attributes.tool_name !== 'apply_patch' || patch === undefined || isFalse(attributes.success))
    return {};
  const lines = patch.replaceAll(String.raw`\n`, '\n').split('\n');
  return {
    lines_added: lines.filter((line) => line.startsWith('+')).length,
    lines_removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/**
 * Reads an event of a response stream. A failure is a call, and so is the completion with token
 * counts; the same event also comes without them.
 */
function readStreamEvent(record: LogRecord, earlier: EarlierEvents): Report | 'ignored' {
  const { attributes } = record;
  const error = textIn(attributes, 'error.message');
  const input = countIn(attributes, 'input_token_count');
  if (error === undefined && input === undefined) return 'ignored';
  const request = earlier.get(keyOf(record));
  const call = { ...callOf(attributes), duration_ms: durationOf(record, request) };
  if (input === undefined) return { ...call, error: error ?? 'failed' };
  const usage = {
    input,
    output: countIn(attributes, 'output_token_count') ?? 0,
    cached: countIn(attributes, 'cached_token_count') ?? 0,
  };
  return {
    ...call,
    call: callKey(usage),
    attributes: definedMembers({
      ...call.attributes,
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cached,
      'gen_ai.usage.cache_write.input_tokens': countIn(attributes, 'cache_write_token_count'),
      'gen_ai.usage.reasoning.output_tokens': countIn(attributes, 'reasoning_token_count'),
    }),
  };
}

/**
 * Returns the time since the start of the request, whose own duration ends with the response
 * headers.
 */
function durationOf(completed: LogRecord, request: LogRecord | undefined): number {
  const waited = request && countIn(request.attributes, 'duration_ms');
  if (!request || waited === undefined) return 0;
  return Math.max(0, completed.at - request.at) + waited;
}

const callOf = (attributes: Attributes) => ({
  name: 'api_request',
  decides: true,
  attributes: definedMembers({
    ...identity(attributes),
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerOf(textIn(attributes, 'model')),
    'gen_ai.request.model': textIn(attributes, 'model', 'slug'),
  }),
});

/**
 * Guesses the provider from the model. Codex names the provider only once per conversation, and
 * other providers serve other models.
 */
const providerOf = (model: string | undefined): string | undefined =>
  model !== undefined && /^(gpt-|o\d|codex)/.test(model) ? 'openai' : undefined;

const identity = (attributes: Attributes): Attributes =>
  definedMembers({
    'session.id': textIn(attributes, 'conversation.id'),
    'user.id': textIn(attributes, 'user.email', 'user.account_id'),
    'gen_ai.agent.name': 'codex',
  });

const keyOf = (record: LogRecord): string =>
  `codex ${textIn(record.attributes, 'conversation.id') ?? ''}`;

const toolNameOf = (attributes: Attributes): string => {
  const server = textIn(attributes, 'mcp_server');
  const tool = textIn(attributes, 'tool_name') ?? 'tool';
  return server === undefined ? tool : `mcp__${server}__${tool}`;
};

function toolCallOf(attributes: Attributes) {
  const tool_call = textIn(attributes, 'call_id');
  return tool_call === undefined ? {} : { tool_call };
}

/**
 * The key of a call within one run, where token counts are unique because the input of each call
 * contains the previous call.
 */
const callKey = (usage: { input: number; output: number; cached: number }): string =>
  `${usage.input} ${usage.output} ${usage.cached}`;

/**
 * Translates a span. A turn has some six hundred spans; those with usage are calls, but do not name
 * the model.
 */
function readSpan(span: OtelSpan): OtelSpan {
  const { attributes } = span;
  const input = countIn(attributes, 'gen_ai.usage.input_tokens');
  if (input === undefined) return span;
  const key = callKey({
    input,
    output: countIn(attributes, 'gen_ai.usage.output_tokens') ?? 0,
    cached: countIn(attributes, 'gen_ai.usage.cache_read.input_tokens') ?? 0,
  });
  return {
    ...span,
    span_id: keyedSpanId(span.trace_id, key),
    attributes: definedMembers({
      ...attributes,
      'gen_ai.operation.name': 'chat',
      'gen_ai.agent.name': 'codex',
      'gen_ai.usage.reasoning.output_tokens': countIn(
        attributes,
        'codex.usage.reasoning_output_tokens',
      ),
    }),
    client: { decides: true },
  };
}
