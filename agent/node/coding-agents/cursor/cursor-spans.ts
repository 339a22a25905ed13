import { hash } from 'node:crypto';
import type { RecordingLevel } from '#contract/guard.ts';
import { recordsPrompts, recordsTools } from '#domain/coding-agents/recording-level.ts';
import type { CursorEvent, TokenCounts } from './cursor-event.ts';

/** The instrumentation scope of the spans. */
export const CURSOR_SCOPE = 'gatehouse.cursor';

/** A span of a turn. Its texts are separate, because the level decides whether they are sent. */
export interface CursorSpan {
  trace: string;
  id: string;
  /** Null for the span of the turn. */
  parent: string | null;
  name: string;
  started_at: number;
  ended_at: number;
  error: string | null;
  attributes: Readonly<Record<string, string | number | null>>;
  /** Attributes that are sent at this level and above. */
  texts: Readonly<Record<'prompts' | 'tools', Readonly<Record<string, string | null>>>>;
  /** Replaces `error` at the level `tools`. */
  error_message: string | null;
  /** The version of Cursor. */
  version: string | null;
}

/** What the spans of a turn have in common. */
export interface TurnIdentity {
  trace: string;
  root: string;
  session: string;
  user: string | null;
  model: string | null;
  version: string | null;
}

/** Ids follow from Cursor's own, so that each report of one event is the same span. */
export const traceOf = ({ conversation, generation }: CursorEvent): string =>
  idOf(['cursor', conversation, generation], 32);
export const spanOf = (trace: string, key: string): string => idOf([trace, key], 16);

const idOf = (parts: readonly string[], digits: number): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, digits);

type Times = Pick<CursorSpan, 'started_at' | 'ended_at'>;

const noTexts = { prompts: {}, tools: {} };

function baseOf(turn: TurnIdentity, key: string, times: Times) {
  const { trace, root, session, user, version } = turn;
  return {
    ...times,
    trace,
    id: key === '' ? root : spanOf(trace, key),
    parent: key === '' ? null : root,
    error: null,
    error_message: null,
    version,
    identity: { 'gen_ai.agent.name': 'cursor', 'session.id': session, 'user.id': user },
  };
}

interface Call extends Times {
  key: string;
  tokens: TokenCounts | null;
  prompt: string | null;
  text: string | null;
  error: string | null;
}

/** The call that a response belongs to. Without tokens, Cursor did not report any. */
export function callSpan(turn: TurnIdentity, call: Call): CursorSpan {
  const { key, tokens, prompt, text, error, ...times } = call;
  const { identity, ...base } = baseOf(turn, key, times);
  return {
    ...base,
    name: 'chat',
    error,
    attributes: {
      ...identity,
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': turn.model,
      'gen_ai.usage.input_tokens': tokens?.input ?? null,
      'gen_ai.usage.output_tokens': tokens?.output ?? null,
      'gen_ai.usage.cache_read.input_tokens': tokens?.cacheRead ?? null,
      'gen_ai.usage.cache_write.input_tokens': tokens?.cacheWrite ?? null,
    },
    texts: { ...noTexts, prompts: { 'gen_ai.prompt': prompt, 'gen_ai.completion': text } },
  };
}

/** Returns the tokens of a call; null for other spans, and for calls without tokens. */
export function tokensOf({ attributes }: Pick<CursorSpan, 'attributes'>): TokenCounts | null {
  const count = (kind: string): number => Number(attributes[`gen_ai.usage.${kind}_tokens`] ?? 0);
  if (typeof attributes['gen_ai.usage.input_tokens'] !== 'number') return null;
  return {
    input: count('input'),
    output: count('output'),
    cacheRead: count('cache_read.input'),
    cacheWrite: count('cache_write.input'),
  };
}

export function toolSpan(
  turn: TurnIdentity,
  event: Extract<CursorEvent, { kind: 'tool' }>,
  at: number,
): CursorSpan {
  const { tool, call, input, output, duration, failure } = event;
  const times = { started_at: at - duration, ended_at: at };
  const { identity, ...base } = baseOf(turn, event.key, times);
  return {
    ...base,
    name: `execute_tool ${tool}`,
    error: failure?.reason ?? null,
    error_message: failure?.message ?? null,
    attributes: {
      ...identity,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': call,
    },
    texts: {
      ...noTexts,
      tools: { 'gen_ai.tool.call.arguments': input, 'gen_ai.tool.call.result': output },
    },
  };
}

/** Adds the lines that a tool changed. */
export const withLines = (
  span: CursorSpan,
  { lines }: Extract<CursorEvent, { kind: 'edit' }>,
): CursorSpan => ({
  ...span,
  attributes: { ...span.attributes, lines_added: lines.added, lines_removed: lines.removed },
});

/** Cursor's name of the tool that changes files. */
export const WRITE_TOOL = 'Write';

/** An edit whose tool was not reported, as by versions without `postToolUse`. */
export function editSpan(
  turn: TurnIdentity,
  event: Extract<CursorEvent, { kind: 'edit' }>,
  at: number,
): CursorSpan {
  const none = { call: null, output: null, duration: 0, failure: null };
  return withLines(
    toolSpan(turn, { ...event, ...none, kind: 'tool', tool: WRITE_TOOL }, at),
    event,
  );
}

interface Root extends Times {
  prompt: string | null;
  answer: string | null;
  error: string | null;
}

/** The span of the turn, which ends its run. */
export function rootSpan(turn: TurnIdentity, root: Root): CursorSpan {
  const { prompt, answer, error, ...times } = root;
  const { identity, ...base } = baseOf(turn, '', times);
  return {
    ...base,
    name: 'prompt',
    error,
    attributes: { ...identity, 'gen_ai.operation.name': 'invoke_agent' },
    texts: { ...noTexts, prompts: { 'input.value': prompt, 'output.value': answer } },
  };
}

/** The body of an OTLP export in JSON, with the texts that the level permits. */
export function cursorOtlpBody(spans: readonly CursorSpan[], level: RecordingLevel): object {
  const byVersion = Map.groupBy(spans, ({ version }) => version);
  return {
    resourceSpans: [...byVersion].map(([version, own]) => ({
      resource: {
        attributes: attributesOf({ 'service.name': 'cursor', 'service.version': version }),
      },
      scopeSpans: [{ scope: { name: CURSOR_SCOPE }, spans: own.map((one) => wireOf(one, level)) }],
    })),
  };
}

const INTERNAL = 1;

function wireOf(span: CursorSpan, level: RecordingLevel): object {
  const { texts, error, error_message: message } = span;
  const reason = recordsTools({ level }) ? (message ?? error) : error;
  return {
    traceId: span.trace,
    spanId: span.id,
    ...(span.parent !== null && { parentSpanId: span.parent }),
    name: span.name,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(Math.min(span.started_at, span.ended_at)),
    endTimeUnixNano: nanoseconds(span.ended_at),
    status: reason === null ? { code: 1 } : { code: 2, message: reason },
    attributes: attributesOf({
      ...span.attributes,
      ...(recordsPrompts({ level }) && texts.prompts),
      ...(recordsTools({ level }) && texts.tools),
    }),
  };
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const attributesOf = (all: Readonly<Record<string, string | number | null>>): object[] =>
  Object.entries(all).flatMap(([key, value]) => {
    if (value === null) return [];
    const wire = typeof value === 'number' ? { intValue: String(value) } : { stringValue: value };
    return [{ key, value: wire }];
  });
