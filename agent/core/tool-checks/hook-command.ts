import type { ToolCheckMode } from '#contract/guard.ts';
import type { HookClient } from './tool-event.ts';

/** The connection from clients to the agent. */
export interface Hooks {
  /** The agent's socket. */
  socket: string;
  /** The answer of a hook if the agent does not respond. */
  away: Exclude<ToolCheckMode, 'off'>;
}

/** A part of every hook command of Gatehouse that occurs in no other command. */
const ADDRESS = 'http://gatehouse-agent/hook/';

/** The time limit of a request in seconds, longer than the agent waits for the control plane. */
const MAX_WAIT = 35;
/** Clients terminate a hook after this many seconds. */
export const HOOK_TIMEOUT = 40;

export const UNANSWERED =
  'Blocked: the Gatehouse agent on this device does not answer, and tools may not be used without it.';

/**
 * The command of a hook, for a POSIX shell. curl starts five times as fast as Node. `-q` and
 * `--noproxy` ignore the user's settings.
 */
export function hookCommand(client: HookClient, { socket, away }: Hooks): string {
  const curl = [
    '/usr/bin/curl -q -sS --fail --noproxy "*" -H Expect:',
    `--max-time ${MAX_WAIT} --unix-socket ${quoted(socket)}`,
    `--data-binary @- ${ADDRESS}${client} 2>/dev/null`,
  ].join(' ');
  const otherwise = away === 'open' ? `echo '{}'` : `{ echo ${quoted(UNANSWERED)} >&2; exit 2; }`;
  return `${curl} || ${otherwise}`;
}

/** Whether an agent wrote this command. */
export const isHookCommand = (command: unknown): boolean =>
  typeof command === 'string' && command.includes(ADDRESS);

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
