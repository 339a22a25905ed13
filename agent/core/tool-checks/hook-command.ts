import type { ToolCheckMode } from '#contract/guard.ts';
import type { HookClient } from './tool-event.ts';

/** How clients reach the agent. */
export interface Hooks {
  /** The agent's socket. */
  socket: string;
  /** What a hook answers if no agent responds. */
  away: Exclude<ToolCheckMode, 'off'>;
}

/** Part of every hook command of Gatehouse, and of nothing else. */
const ADDRESS = 'http://gatehouse-agent/hook/';

/** Seconds. Longer than the agent waits for the control plane. */
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
