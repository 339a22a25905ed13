import { quoted } from '#domain/coding-agents/hook-command.ts';

/** The path of the agent's socket that receives the events. */
export const CURSOR_RECORD_PATH = '/record/cursor';

/** A part of every command of these hooks that occurs in no other command. */
const RECORD_URL = `http://gatehouse-agent${CURSOR_RECORD_PATH}`;

/**
 * The events that are observed. `postToolUse` and `postToolUseFailure` report every tool, so those
 * of commands and MCP servers would only repeat it.
 */
export const cursorRecordedEvents = [
  'beforeSubmitPrompt',
  'afterAgentResponse',
  'postToolUse',
  'postToolUseFailure',
  'afterFileEdit',
  'stop',
] as const;

/** The maximum size of an event in bytes; the agent refuses larger ones. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

/**
 * The time limit of a request in seconds. The agent answers once it has read the event, before it
 * sends anything to the control plane.
 */
const MAX_WAIT_SECONDS = 2;
/** Cursor terminates a hook after this many seconds. */
export const RECORD_TIMEOUT_SECONDS = 5;

/**
 * The command of a hook that observes, for a POSIX shell. Its output changes nothing, and it never
 * fails, so Cursor works the same without an agent.
 */
export const cursorRecordCommand = (socket: string): string =>
  [
    `/usr/bin/curl -q -s --noproxy "*" -H Expect: --max-time ${MAX_WAIT_SECONDS}`,
    `--unix-socket ${quoted(socket)} --data-binary @- ${RECORD_URL} >/dev/null 2>&1; echo '{}'`,
  ].join(' ');

/** Whether an agent wrote this command. */
export const isCursorRecordCommand = (command: unknown): boolean =>
  typeof command === 'string' && command.includes(RECORD_URL);
