import { hash } from 'node:crypto';
import type { RecordingLevel } from '#contract/guard.ts';
import { recordsPrompts, recordsTools } from '#domain/coding-agents/recording-level.ts';
import { type ChangedLines, linesOfEdits } from '#agent/core/coding-agents/changed-lines.ts';

/**
 * The tokens of a turn so far, as Cursor counts them: `input` includes the cached tokens.
 * https://github.com/entireio/cli/issues/1264 and https://github.com/fitchmultz/pi-cursor-sdk/issues/196
 * measured this. Older versions of Cursor report none.
 */
export interface TokenCounts {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const combinedTokens = (
  a: TokenCounts,
  b: TokenCounts,
  combine: (a: number, b: number) => number,
): TokenCounts => ({
  input: combine(a.input, b.input),
  output: combine(a.output, b.output),
  cacheRead: combine(a.cacheRead, b.cacheRead),
  cacheWrite: combine(a.cacheWrite, b.cacheWrite),
});

export const sumOfTokens = (a: TokenCounts, b: TokenCounts): TokenCounts =>
  combinedTokens(a, b, (x, y) => x + y);

interface EventBase {
  conversation: string;
  /** Changes with each prompt of the user. */
  generation: string;
  model: string | null;
  version: string | null;
  user: string | null;
  /** Identifies the event within its turn, so that an event that arrives twice counts once. */
  key: string;
}

/** An event of a turn, without the texts that the level does not permit. */
export type CursorEvent = EventBase &
  (
    | { kind: 'prompt'; text: string | null }
    | { kind: 'response'; text: string | null; tokens: TokenCounts | null }
    | {
        kind: 'tool';
        tool: string;
        call: string | null;
        /** The file in its input. Never leaves the device: it finds the edit of this call. */
        path: string | null;
        input: string | null;
        output: string | null;
        /** ms */
        duration: number;
        /** `reason` is one word; `message` may contain output of the tool. */
        failure: { reason: string; message: string | null } | null;
      }
    | { kind: 'edit'; path: string | null; input: string | null; lines: ChangedLines }
    | { kind: 'stop'; status: string; tokens: TokenCounts | null }
  );

type Payload = Readonly<Record<string, unknown>>;

/**
 * Reads an event of a Cursor hook and reduces it to the level. Returns `skip` for other events, and
 * for those outside of a turn.
 *
 * Names and types: https://cursor.com/docs/agent/hooks, payloads recorded from
 * 3.7.27 in dash0hq/dash0-agent-plugin@3a3e836 internal/source/cursor/cursor_test.go, and, for the
 * tokens, https://github.com/omnigent-ai/omnigent/pull/1268. Cursor's CLI uses `hookEventName`:
 * Arize-ai/coding-harness-tracing@369d396 tracing/cursor/hooks/handlers.py.
 */
export function readCursorEvent(
  payload: unknown,
  level: RecordingLevel,
): CursorEvent | 'skip' | { error: string } {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return { error: 'cursor: expected a JSON object' };
  const event = payload as Payload;
  const name = textIn(event, 'hook_event_name', 'hookEventName');
  const conversation = textIn(event, 'conversation_id', 'session_id');
  const generation = textIn(event, 'generation_id');
  const read = name === null ? undefined : readers.get(name);
  if (!read || conversation === null || generation === null) return 'skip';
  const base = {
    conversation: short(conversation),
    generation: short(generation),
    model: modelOf(event),
    version: textIn(event, 'cursor_version'),
    user: textIn(event, 'user_email'),
  };
  const { key, ...own } = read(event, {
    prompts: recordsPrompts({ level }),
    tools: recordsTools({ level }),
  });
  return { ...base, ...own, key: hash('sha256', JSON.stringify([own.kind, key])).slice(0, 32) };
}

interface Permitted {
  prompts: boolean;
  tools: boolean;
}

type OwnPart<E = CursorEvent> = E extends CursorEvent ? Omit<E, keyof EventBase> : never;
type Reader = (event: Payload, permitted: Permitted) => OwnPart & { key: unknown };

const readers = new Map<string, Reader>([
  [
    'beforeSubmitPrompt',
    (event, { prompts }) => ({
      kind: 'prompt',
      text: prompts ? cutText(textIn(event, 'prompt')) : null,
      key: null,
    }),
  ],
  [
    'afterAgentResponse',
    (event, { prompts }) => {
      const tokens = tokensIn(event);
      const text = textIn(event, 'text');
      return {
        kind: 'response',
        text: prompts ? cutText(text) : null,
        tokens,
        key: [text, tokens],
      };
    },
  ],
  ['postToolUse', (event, permitted) => toolOf(event, permitted, null)],
  [
    'postToolUseFailure',
    (event, permitted) =>
      toolOf(event, permitted, {
        reason: textIn(event, 'failure_type') ?? 'failed',
        message: permitted.tools ? cutText(textIn(event, 'error_message')) : null,
      }),
  ],
  [
    'afterFileEdit',
    (event, { tools }) => {
      const { edits } = event;
      const changed = (Array.isArray(edits) ? edits : []).map((edit: unknown) => {
        const { old_string, new_string } = Object(edit) as Payload;
        return { before: stringOf(old_string), after: stringOf(new_string) };
      });
      const path = textIn(event, 'file_path');
      return {
        kind: 'edit',
        path,
        input: tools && path !== null ? JSON.stringify({ file_path: path }) : null,
        lines: linesOfEdits(changed),
        key: [path, edits],
      };
    },
  ],
  [
    'stop',
    (event) => ({
      kind: 'stop',
      status: textIn(event, 'status') ?? 'completed',
      tokens: tokensIn(event),
      key: null,
    }),
  ],
]);

type ToolPart = Extract<CursorEvent, { kind: 'tool' }>;

function toolOf(
  event: Payload,
  { tools }: Permitted,
  failure: ToolPart['failure'],
): OwnPart<ToolPart> & { key: unknown } {
  const { tool_input: input, tool_output: output, duration } = event;
  const call = textIn(event, 'tool_use_id');
  const tool = short(textIn(event, 'tool_name') ?? 'tool');
  return {
    kind: 'tool',
    tool,
    call: call === null ? null : short(call),
    path: textIn(Object(input) as Payload, 'file_path', 'path', 'target_file'),
    input: tools ? cutText(asText(input)) : null,
    output: tools ? cutText(asText(output)) : null,
    duration: typeof duration === 'number' && duration > 0 ? Math.round(duration) : 0,
    failure,
    key: call ?? [tool, input, output, failure?.reason],
  };
}

/** Cursor's name for the choice of its user to let Cursor choose the model. */
const AUTO = 'default';

/** The model; for `default`, the name that Cursor shows and exports, as it does not tell the model. */
function modelOf(event: Payload): string | null {
  const model = textIn(event, 'model');
  return model === AUTO ? 'Auto' : model;
}

const tokenFields = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_tokens',
  cacheWrite: 'cache_write_tokens',
} as const satisfies Record<keyof TokenCounts, string>;

function tokensIn(event: Payload): TokenCounts | null {
  const { input, output } = tokenFields;
  if (typeof event[input] !== 'number' && typeof event[output] !== 'number') return null;
  const count = (name: string): number => {
    const value = event[name];
    return typeof value === 'number' && value > 0 ? Math.round(value) : 0;
  };
  return {
    input: count(tokenFields.input),
    output: count(tokenFields.output),
    cacheRead: count(tokenFields.cacheRead),
    cacheWrite: count(tokenFields.cacheWrite),
  };
}

/** Returns the first text that is not empty. */
function textIn(event: Payload, ...names: string[]): string | null {
  for (const name of names) {
    const value = event[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const asText = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

const short = (name: string): string => name.slice(0, 200);

/** The maximum number of characters of a recorded text. */
const MAX_TEXT = 64 * 1024;
const cutText = (text: string | null): string | null =>
  text !== null && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
