import type { Attributes } from '../attributes.ts';
import { parsed } from '../field.ts';
import type { LogRecord } from '../logs/log-record.ts';
import { isObject } from '../messages/read-message.ts';
import type { OtelSpan } from '../span.ts';
import { keyedSpanId } from '../span.ts';
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
 * Anthropic's Claude Code (code.claude.com/docs/en/monitoring-usage). Its events are logs; its
 * spans are a beta feature. Input tokens exclude those read from and written to the cache. Texts
 * are `<REDACTED>` unless the user allows them.
 */
export const claudeCode: Client = {
  agent: 'claude-code',
  isScope: (scope) => scope.startsWith('com.anthropic.claude_code'),
  followsTraces: true,
  sessionOf: ({ attributes }) => textIn(attributes, 'session.id'),
  readEvent(record, earlier) {
    const event = record.event.replace(/^claude_code\./, '');
    if (ignored.has(event)) return 'ignored';
    if (event === 'api_request_body') {
      earlier.set(bodyKey(record), record);
      return 'ignored';
    }
    const report = readers[event]?.(record, earlier);
    return report && { ...report, turn: textIn(record.attributes, 'prompt.id') };
  },
  readSpan,
};

const ignored = new Set(
  splitWords(`
    internal_error plugin_loaded hook_registered hook_execution_start hook_plugin_metrics auth
    feedback_survey system_prompt managed_settings_resolved
  `),
);

const notes = splitWords(`
  permission_mode_changed skill_activated mcp_server_connection compaction at_mention
  hook_execution_complete plugin_installed subagent_completed api_retries_exhausted
`);

const readers: Record<string, (record: LogRecord, earlier: EarlierEvents) => Report> = {
  user_prompt: ({ attributes }) => ({
    name: 'user_prompt',
    role: 'prompt',
    attributes: definedMembers({
      ...identity(attributes),
      'gen_ai.operation.name': 'event',
      'input.value': withoutRedacted(textIn(attributes, 'prompt')),
    }),
  }),
  api_request: (record, earlier) => ({
    ...callOf(record.attributes),
    attributes: definedMembers({
      ...callAttributes(record.attributes),
      ...usageOf(record.attributes),
      'gen_ai.usage.cost': countIn(record.attributes, 'cost_usd'),
      'gen_ai.prompt': requestBodyOf(record, earlier),
    }),
  }),
  api_response_body: ({ attributes }) => ({
    ...callOf(attributes),
    attributes: definedMembers({
      ...callAttributes(attributes),
      'gen_ai.completion': textIn(attributes, 'body'),
    }),
  }),
  assistant_response: ({ attributes }) => {
    const response = withoutRedacted(textIn(attributes, 'response'));
    const answers = isMain(attributes) && response !== undefined;
    const call = callOf(attributes);
    // Without a request id it is unknown which call the response belongs to.
    const report =
      call.call === undefined
        ? noteOf('assistant_response')({ attributes })
        : { ...call, attributes: callAttributes(attributes) };
    return {
      ...report,
      ...(answers && { role: 'answer' as const }),
      attributes: definedMembers({ ...report.attributes, 'gen_ai.completion': response }),
    };
  },
  api_error: (record, earlier) => ({
    ...callOf(record.attributes),
    attributes: definedMembers({
      ...callAttributes(record.attributes),
      'gen_ai.prompt': requestBodyOf(record, earlier),
    }),
    error: textIn(record.attributes, 'error', 'status_code') ?? 'failed',
  }),
  api_refusal: ({ attributes }) => ({
    ...callOf(attributes),
    attributes: callAttributes(attributes),
    error: textIn(attributes, 'error', 'reason', 'stop_reason') ?? 'refused',
  }),
  tool_result: ({ attributes }) => ({
    ...toolOf(attributes),
    attributes: definedMembers({
      ...identity(attributes),
      ...toolAttributes(attributes),
      'gen_ai.operation.name': 'execute_tool',
      tool_result_size_bytes: countIn(attributes, 'tool_result_size_bytes'),
    }),
    ...(isFalse(attributes.success) && {
      error: textIn(attributes, 'error', 'error_type') ?? 'failed',
    }),
  }),
  tool_decision: ({ attributes }) => ({
    name: `decision ${toolNameOf(attributes)}`,
    attributes: definedMembers({
      ...identity(attributes),
      'gen_ai.operation.name': 'decision',
      tool: toolNameOf(attributes),
      'gen_ai.tool.call.id': textIn(attributes, 'tool_use_id'),
      decision: textIn(attributes, 'decision'),
      source: textIn(attributes, 'source'),
      'input.value': textIn(attributes, 'tool_parameters'),
    }),
  }),
  ...Object.fromEntries(notes.map((name) => [name, noteOf(name)])),
};

/**
 * Returns the body of a request. A body has no id, but its outcome follows, usually in the same
 * export.
 */
function requestBodyOf(record: LogRecord, earlier: EarlierEvents): string | undefined {
  const body = earlier.get(bodyKey(record));
  earlier.delete(bodyKey(record));
  return body && textIn(body.attributes, 'body');
}

const bodyKey = ({ attributes }: LogRecord): string =>
  JSON.stringify([
    'body',
    textIn(attributes, 'session.id'),
    textIn(attributes, 'prompt.id'),
    textIn(attributes, 'query_source'),
  ]);

function noteOf(name: string) {
  const common = /^(event|user|organization|terminal|session|prompt)\./;
  return ({ attributes }: Pick<LogRecord, 'attributes'>): Report => ({
    name,
    isNote: true,
    attributes: {
      ...Object.fromEntries(Object.entries(attributes).filter(([key]) => !common.test(key))),
      ...identity(attributes),
      'gen_ai.operation.name': 'event',
    },
    ...(name === 'api_retries_exhausted' && { error: textIn(attributes, 'error') ?? 'failed' }),
  });
}

/**
 * The session, user and agent of a record. The record's `user.id` is a random number of the
 * installation, so other ids are preferred.
 */
const identity = (attributes: Attributes): Attributes =>
  definedMembers({
    'session.id': textIn(attributes, 'session.id'),
    'user.id': textIn(attributes, 'user.email', 'user.account_uuid', 'user.id'),
    'gen_ai.agent.name': 'claude-code',
  });

/** Whether a call decides if the run fails. Spans of older versions lack the purpose of a call. */
const decides = (attributes: Attributes): boolean =>
  'query_source' in attributes
    ? isMain(attributes)
    : textIn(attributes, 'llm_request.context') === 'interaction';

function taskOf(attributes: Attributes) {
  const task = textIn(attributes, 'query_source');
  return task === undefined ? {} : { task };
}

/** Whether a call is main work, rather than that of a sub-agent, a title or a summary. */
const isMain = (attributes: Attributes): boolean =>
  /^(sdk|repl_main_thread.*)?$/.test(textIn(attributes, 'query_source') ?? '');

const callOf = (attributes: Attributes) => ({
  name: 'api_request',
  duration_ms: countIn(attributes, 'duration_ms') ?? 0,
  call: textIn(attributes, 'request_id'),
  task: textIn(attributes, 'query_source') ?? 'chat',
  decides: isMain(attributes),
});

const callAttributes = (attributes: Attributes): Attributes =>
  definedMembers({
    ...identity(attributes),
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': textIn(attributes, 'model'),
    'gen_ai.response.id': textIn(attributes, 'request_id'),
    'agent.name': textIn(attributes, 'agent.name'),
    attempt: countIn(attributes, 'attempt'),
    status_code: textIn(attributes, 'status_code'),
  });

function usageOf(attributes: Attributes) {
  const read = countIn(attributes, 'cache_read_tokens') ?? 0;
  const written = countIn(attributes, 'cache_creation_tokens') ?? 0;
  return {
    'gen_ai.usage.input_tokens': (countIn(attributes, 'input_tokens') ?? 0) + read + written,
    'gen_ai.usage.output_tokens': countIn(attributes, 'output_tokens'),
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_write.input_tokens': written,
  };
}

const toolOf = (attributes: Attributes) => ({
  name: toolNameOf(attributes),
  duration_ms: countIn(attributes, 'duration_ms') ?? 0,
  ...toolCallOf(attributes),
});

function toolCallOf(attributes: Attributes) {
  const tool_call = textIn(attributes, 'tool_use_id', 'gen_ai.tool.call.id');
  return tool_call === undefined ? {} : { tool_call };
}

/**
 * Returns the name of a tool. For a tool of an MCP server, it is the name in Claude Code's list of
 * tools.
 */
function toolNameOf(attributes: Attributes): string {
  const parameters = parsed(attributes.tool_parameters);
  if (isObject(parameters)) {
    const server = textIn(parameters, 'mcp_server_name');
    const tool = textIn(parameters, 'mcp_tool_name');
    if (server !== undefined && tool !== undefined) return `mcp__${server}__${tool}`;
  }
  return textIn(attributes, 'tool_name', 'name') ?? 'tool';
}

const toolAttributes = (attributes: Attributes) => ({
  'gen_ai.tool.name': toolNameOf(attributes),
  'gen_ai.tool.call.id': textIn(attributes, 'tool_use_id', 'gen_ai.tool.call.id'),
  'gen_ai.tool.call.arguments':
    textIn(attributes, 'tool_input', 'tool_parameters') ?? argumentsOf(attributes),
});

/** Returns the arguments of a tool from a span, which has one of them at most. */
function argumentsOf(attributes: Attributes) {
  const known = definedMembers({
    command: attributes.full_command,
    file_path: attributes.file_path,
  });
  return Object.keys(known).length > 0 ? known : undefined;
}

/**
 * Translates a span, whose attributes have other names than those of events. The request id makes
 * the span and the event one call.
 */
function readSpan(span: OtelSpan): OtelSpan {
  const { attributes } = span;
  const own = { ...attributes, ...identity(attributes) };
  switch (span.name) {
    case 'claude_code.interaction': {
      const { user_prompt: _, ...rest } = own;
      return {
        ...span,
        attributes: definedMembers({
          ...rest,
          'gen_ai.operation.name': 'invoke_agent',
          'input.value': withoutRedacted(textIn(attributes, 'user_prompt')),
        }),
        client: { role: 'prompt' },
      };
    }
    case 'claude_code.llm_request': {
      const request = textIn(attributes, 'request_id');
      return {
        ...span,
        ...(request !== undefined && { span_id: keyedSpanId(span.trace_id, request) }),
        attributes: definedMembers({
          ...own,
          ...usageOf(attributes),
          'gen_ai.operation.name': 'chat',
        }),
        client: { decides: decides(attributes), ...taskOf(attributes) },
      };
    }
    case 'claude_code.tool': {
      const output = span.events.find(({ name }) => name === 'tool.output')?.attributes;
      return {
        ...span,
        attributes: definedMembers({
          ...own,
          ...toolAttributes(attributes),
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.call.result': output && textIn(output, 'output'),
        }),
        client: toolCallOf(attributes),
      };
    }
    default:
      return span;
  }
}
