import type { Attributes, Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import type { LogRecord } from '../logs/log-record.ts';
import { isObject } from '../messages/read-message.ts';
import { splitWords } from '../attribute-aliases.ts';
import {
  type Client,
  countIn,
  type EarlierEvents,
  isFalse,
  definedMembers,
  textIn,
  type Report,
} from './client.ts';

/**
 * Google's Gemini CLI (google-gemini/gemini-cli, docs/cli/telemetry.md). Each of its spans is a
 * separate trace. Its logs always accompany them and contain more, so only the logs are read.
 * Members without a value are sent as empty ones.
 */
export const geminiCli = geminiClient({
  agent: 'gemini-cli',
  prefix: 'gemini_cli.',
  provider: 'gcp.gemini',
  // The version that it sends is that of Node.js.
  hasVersion: false,
});

/** Alibaba's Qwen Code, a fork with its own names. */
export const qwenCode = geminiClient({
  agent: 'qwen-code',
  prefix: 'qwen-code.',
  provider: undefined,
  hasVersion: true,
});

interface Variant {
  agent: string;
  prefix: string;
  provider: string | undefined;
  hasVersion: boolean;
}

function geminiClient(variant: Variant): Client {
  const { agent, prefix } = variant;
  return {
    agent,
    isScope: (scope) => scope === agent,
    followsTraces: false,
    hasVersion: variant.hasVersion,
    sessionOf,
    readEvent(record, earlier) {
      if (record.event === 'gen_ai.client.inference.operation.details') return 'ignored';
      if (!record.event.startsWith(prefix)) return undefined;
      const event = record.event.slice(prefix.length);
      if (ignored.has(event)) return 'ignored';
      const report = readers[event]?.(record, { variant, earlier });
      if (!report || report === 'ignored') return report;
      return { ...report, turn: textIn(record.attributes, 'prompt_id') };
    },
    readSpan: () => 'ignored',
  };
}

const ignored = new Set(
  splitWords(`
    config startup_stats ripgrep_fallback model_routing auth ide_connection next_speaker_check
    slash_command slash_command.model conversation_finished plan.approval_mode_duration
    plan.approval_mode_switch file_operation tool_output_truncated tool_output_masking
    extension_install extension_uninstall extension_update extension_enable extension_disable
    memory.recall memory.extract memory.dream edit_strategy edit_correction hook_call
    onboarding.start onboarding.success keychain.availability token_storage.initialization
    credits_used llm_loop_check network_retry_attempt skill_launch prompt_suggestion speculation
    api_key_updated rewind user_feedback user_retry
  `),
);

interface Reading {
  variant: Variant;
  earlier: EarlierEvents;
}
type Reader = (record: LogRecord, reading: Reading) => Report | 'ignored';

const note =
  (name: string): Reader =>
  (record, { variant }) => ({
    name,
    isNote: true,
    attributes: {
      ...Object.fromEntries(
        Object.entries(record.attributes).filter(
          ([key, value]) => value !== null && !/^(event|session|installation|user)\./.test(key),
        ),
      ),
      ...identity(record, variant),
      'gen_ai.operation.name': 'event',
    },
  });

const readers: Record<string, Reader> = {
  user_prompt: (record, { variant }) => ({
    name: 'user_prompt',
    role: 'prompt',
    attributes: definedMembers({
      ...identity(record, variant),
      'gen_ai.operation.name': 'event',
      'input.value': textIn(record.attributes, 'prompt'),
    }),
  }),
  // This record has the texts of the prompt. Its response follows, usually in the same export.
  api_request(record, { earlier }) {
    earlier.set(requestKey(record), record);
    return 'ignored';
  },
  api_response(record, { variant, earlier }) {
    const { attributes } = record;
    const response = responseOf(attributes);
    return {
      ...callOf(record),
      ...(isMain(attributes) && response.isText && { role: 'answer' as const }),
      call: response.id,
      attributes: definedMembers({
        ...callAttributes(record, variant),
        ...usageOf(attributes),
        'gen_ai.response.id': response.id,
        'gen_ai.input.messages': promptOf(earlier.get(requestKey(record))),
        'gen_ai.output.messages': response.messages,
        'gen_ai.response.finish_reasons': attributes.finish_reasons,
      }),
    };
  },
  api_error: (record, { variant, earlier }) => ({
    ...callOf(record),
    attributes: definedMembers({
      ...callAttributes(record, variant),
      'gen_ai.input.messages': promptOf(earlier.get(requestKey(record))),
    }),
    error:
      textIn(record.attributes, 'error.message', 'error_message', 'error', 'status_code') ??
      'failed',
  }),
  tool_call: (record, { variant }) => {
    const { attributes } = record;
    const server = textIn(attributes, 'mcp_server_name');
    const tool = textIn(attributes, 'function_name') ?? 'tool';
    const name = server === undefined ? tool : `mcp__${server}__${tool}`;
    return {
      name,
      duration_ms: countIn(attributes, 'duration_ms') ?? 0,
      attributes: definedMembers({
        ...identity(record, variant),
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': textIn(attributes, 'tool_type'),
        'gen_ai.tool.call.arguments': textIn(attributes, 'function_args'),
        decision: textIn(attributes, 'decision'),
        ...linesOf(attributes),
      }),
      ...(isFalse(attributes.success) && {
        error: textIn(attributes, 'error', 'error_type') ?? 'failed',
      }),
    };
  },
  ...Object.fromEntries(
    splitWords(`
      agent.start agent.finish chat_compression flash_fallback plan.execution subagent_execution
      chat.content_retry chat.content_retry_failure chat.invalid_chunk malformed_json_response
      conseca.verdict api_cancel
    `).map((name) => [name, note(name)]),
  ),
};

/** Counts the lines of a file that the tool changed as the model proposed. */
function linesOf(attributes: Attributes) {
  const metadata = parsed(attributes.metadata);
  if (!isObject(metadata)) return {};
  return {
    lines_added: countIn(metadata, 'model_added_lines'),
    lines_removed: countIn(metadata, 'model_removed_lines'),
  };
}

function sessionOf({ attributes, resource }: LogRecord): string | undefined {
  return textIn(attributes, 'session.id') ?? textIn(resource, 'session.id');
}

const identity = (record: LogRecord, { agent }: Variant): Attributes =>
  definedMembers({
    'session.id': sessionOf(record),
    'user.id': textIn(record.attributes, 'user.email', 'installation.id'),
    'gen_ai.agent.name': agent,
  });

const isMain = (attributes: Attributes): boolean =>
  ['main', undefined].includes(textIn(attributes, 'role', 'subagent_name'));

const callOf = (record: LogRecord) => ({
  name: 'api_request',
  duration_ms: countIn(record.attributes, 'duration_ms', 'duration') ?? 0,
  task: textIn(record.attributes, 'role', 'subagent_name') ?? 'chat',
  decides: isMain(record.attributes),
});

const callAttributes = (record: LogRecord, variant: Variant): Attributes =>
  definedMembers({
    ...identity(record, variant),
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': variant.provider,
    'gen_ai.request.model': textIn(record.attributes, 'model', 'model_name'),
  });

const requestKey = (record: LogRecord): string =>
  JSON.stringify([
    'gemini',
    sessionOf(record),
    textIn(record.attributes, 'prompt_id'),
    textIn(record.attributes, 'model'),
  ]);

/**
 * Reads the usage. Gemini counts thoughts in addition to the output, and models with OpenAI's
 * interface count them as part of it. The total shows which one applies.
 */
function usageOf(attributes: Attributes) {
  const input = countIn(attributes, 'input_token_count') ?? 0;
  const output = countIn(attributes, 'output_token_count') ?? 0;
  const thoughts = countIn(attributes, 'thoughts_token_count') ?? 0;
  const total = countIn(attributes, 'total_token_count') ?? 0;
  const isBeside = total >= input + output + thoughts;
  return {
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': isBeside ? output + thoughts : output,
    'gen_ai.usage.cache_read.input_tokens': countIn(attributes, 'cached_content_token_count'),
    'gen_ai.usage.reasoning.output_tokens': thoughts,
  };
}

function promptOf(request: LogRecord | undefined): Json | undefined {
  const contents = parsed(request?.attributes.request_text);
  return Array.isArray(contents) ? contents.map(messageOf) : undefined;
}

/** Reads the response: Gemini CLI sends the bodies of its chunks, and Qwen Code sends the text. */
function responseOf(attributes: Attributes) {
  const body = parsed(attributes.response_text);
  const id = textIn(attributes, 'response_id');
  if (typeof body === 'string' && body !== '')
    return { id, messages: [{ role: 'assistant', content: body }], isText: true };
  const chunks = (Array.isArray(body) ? body : []).filter(isObject);
  const parts = chunks.flatMap(({ candidates }) => {
    const [first] = Array.isArray(candidates) ? candidates : [];
    const content = isObject(first) && isObject(first.content) ? first.content : {};
    return Array.isArray(content.parts) ? content.parts : [];
  });
  const ids = chunks.flatMap((chunk) => textIn(chunk, 'responseId') ?? []);
  return {
    id: id ?? ids[0],
    messages:
      parts.length > 0 ? [{ role: 'assistant', parts: joined(parts.map(partOf)) }] : undefined,
    isText: parts.some((part) => isObject(part) && typeof part.text === 'string' && !part.thought),
  };
}

/** Converts a `Content` of Gemini's API to a message of the GenAI conventions. */
function messageOf(content: Json): Json {
  if (!isObject(content)) return content;
  const role = content.role === 'model' ? 'assistant' : (content.role ?? 'user');
  const parts = Array.isArray(content.parts) ? content.parts.map(partOf) : [];
  return { role, parts };
}

function partOf(part: Json): Json {
  if (!isObject(part)) return part;
  const { functionCall: call, functionResponse: response } = part;
  if (isObject(call)) {
    const { id = null, name = 'tool', args = null } = call;
    return { type: 'tool_call', ...(id !== null && { id }), name, arguments: args };
  }
  if (isObject(response))
    return { type: 'tool_call_response', response: response.response ?? null };
  if (typeof part.text === 'string')
    return { type: part.thought === true ? 'reasoning' : 'text', content: part.text };
  return part;
}

/** Joins the texts of adjacent chunks. */
function joined(parts: readonly Json[]): Json[] {
  const all: Json[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (isText(part) && isText(last))
      all[all.length - 1] = { ...last, content: last.content + part.content };
    else all.push(part);
  }
  return all;
}

const isText = (part: Json | undefined): part is { type: string; content: string } =>
  isObject(part) && part.type === 'text' && typeof part.content === 'string';
