import { memoize } from '../../lib/memoize.ts';
import { type Attributes, storable } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import type { OtelSpan } from '../span.ts';
import { splitWords } from '../attribute-aliases.ts';
import { type Client, definedMembers, textIn } from './client.ts';

const AGENT = 'goose';

/** The part of a tool's output that becomes the error of its span. */
const MAX_ERROR = 500;

/**
 * Goose, recorded from version 1.52.0: a prompt is a trace of spans with the GenAI conventions. It
 * reports texts and the content of tools if
 * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true`. Its logs are plain lines, and its
 * metrics count what the spans report.
 *
 * The spans are in `agents/agent.rs`, `agents/reply_parts.rs` and `hooks/mod.rs` of
 * https://github.com/aaif-goose/goose, `crates/goose/src`.
 */
export const goose: Client = {
  agent: AGENT,
  // Log lines have the Rust module as their scope, such as `goose_cli::session`.
  isScope: (scope) => /^goose(_|:|$)/.test(scope),
  followsTraces: true,
  sessionOf: ({ attributes, resource }) => sessionOf(attributes, resource),
  readEvent: ({ event }) => (event === '' ? 'ignored' : undefined),
  readSpan,
};

/** Attributes with texts that other attributes contain too, and facts about the program. */
const omitted = new Set(
  splitWords(`
    user_message trace_input trace_output input output
    session.id session.user session.host session.agent_type gen_ai.conversation.id
    code.file.path code.module.name code.line.number thread.id thread.name target busy_ns idle_ns
  `),
);

function readSpan(span: OtelSpan): OtelSpan {
  const operation = textIn(span.attributes, 'gen_ai.operation.name');
  if (operation === undefined) return span;
  const kept = Object.entries(span.attributes).filter(([name]) => !omitted.has(name));
  const read: OtelSpan = {
    ...span,
    resource: resourceOf(span.resource),
    attributes: {
      ...Object.fromEntries(kept),
      ...definedMembers({ 'session.id': sessionOf(span.attributes, span.resource) }),
      'gen_ai.agent.name': AGENT,
    },
  };
  switch (operation) {
    case 'chat':
      return { ...read, error: span.error ?? errorOfCall(span) };
    case 'execute_tool':
      return withTool(read, span.attributes);
    case 'invoke_agent':
      return withAgent(read, span.attributes);
    case 'execute_hook':
      return withHook(read);
    default:
      return read;
  }
}

/**
 * Returns the session. Goose numbers the sessions of a user by day (`20260301_1`), so they are
 * unique only with the user and the host.
 */
function sessionOf(attributes: Attributes, resource: Attributes): string | undefined {
  const id = textIn(attributes, 'session.id', 'gen_ai.conversation.id');
  const user = textIn(resource, 'user.name') ?? 'unknown';
  return id && `${user}@${textIn(resource, 'host.name') ?? 'unknown'}/${id}`;
}

/** Drops the user if it is no person: Goose sends the user of its process. */
const resourceOf = memoize((resource: Attributes): Attributes => {
  const { 'user.name': user, ...rest } = resource;
  return user === 'unknown' || user === 'root' ? rest : resource;
});

/**
 * Returns the error of a call: its last warning, unless there is a response. The span itself has no
 * status.
 */
function errorOfCall({ attributes, events }: OtelSpan): string | null {
  const hasResponse = ['gen_ai.response.id', 'gen_ai.usage.input_tokens'].some(
    (name) => name in attributes,
  );
  return hasResponse ? null : lastLine(events, ['WARN', 'ERROR']);
}

/** Returns the last line of these levels that was logged within the span. */
const lastLine = (events: OtelSpan['events'], levels: readonly string[]): string | null =>
  events.findLast(({ attributes }) => levels.includes(attributes.level as string))?.name ?? null;

/**
 * Adds the full name of an MCP tool, whose prefix is the extension, and what a failed tool
 * returned, which only `output` contains.
 */
function withTool(span: OtelSpan, { output, ...sent }: Attributes): OtelSpan {
  const name = textIn(sent, 'gen_ai.tool.name');
  const isFailed = typeof output === 'string' && output.startsWith('{"status":"error"');
  const value = isFailed ? objectOf(parsed(output)).value : undefined;
  return {
    ...span,
    error: isFailed
      ? (span.error ?? storable(textOfResult(value).slice(0, MAX_ERROR)))
      : span.error,
    attributes: {
      ...span.attributes,
      ...definedMembers({
        'gen_ai.tool.name': name?.includes('__') ? `mcp__${name}` : name,
        'gen_ai.tool.call.result': span.attributes['gen_ai.tool.call.result'] ?? value,
      }),
    },
  };
}

/** Returns the text of an MCP result, or of any other value. */
function textOfResult(value: Attributes[string] | undefined): string {
  if (typeof value === 'string') return value || 'failed';
  const { content } = objectOf(value);
  const texts = (Array.isArray(content) ? content : []).flatMap((part) => {
    const { text } = objectOf(part);
    return typeof text === 'string' ? text : [];
  });
  return texts.join('\n') || 'failed';
}

/**
 * Names the span of a sub-agent after it, and lets the span of a turn decide whether the run
 * failed: the root span has no status. Warnings within a turn may be those of tools.
 */
function withAgent(span: OtelSpan, sent: Attributes): OtelSpan {
  const agent = textIn(sent, 'gen_ai.agent.name') ?? AGENT;
  const isTurn = span.name === 'reply_stream';
  return {
    ...span,
    name: agent === AGENT ? span.name : `invoke_agent ${agent}`,
    error:
      isTurn && span.error !== null ? (lastLine(span.events, ['ERROR']) ?? span.error) : span.error,
    ...(isTurn && { client: { decides: true } }),
  };
}

/** Makes a hook a step of the run, with the facts that every level keeps. */
function withHook(span: OtelSpan): OtelSpan {
  const { 'goose.hook.event': event, 'goose.hook.plugin': plugin, ...attributes } = span.attributes;
  return {
    ...span,
    attributes: {
      ...attributes,
      ...definedMembers({ hook_event: event, 'plugin.name': plugin }),
      'gen_ai.operation.name': 'task',
    },
    client: {},
  };
}

const objectOf = (value: Attributes[string] | undefined): Attributes =>
  isObject(value) ? value : {};
