import type { HookFailMode } from '#contract/guard.ts';
import type { ToolClient } from '#contract/tool-checks.ts';

/** The connection from clients to the agent. */
export interface Hooks {
  /** The path of the agent's socket. `~/` is the home of the user whose tool runs the hook. */
  socket: string;
  /** The answer of a hook if the agent does not respond. */
  failMode: HookFailMode;
}

/** A part of every hook command of Gatehouse that occurs in no other command. */
const HOOK_URL = 'http://gatehouse-agent/hook/';

/** The time limit of a request in seconds, longer than the agent waits for the control plane. */
const MAX_WAIT_SECONDS = 35;
/** Clients terminate a hook after this many seconds. */
export const HOOK_TIMEOUT_SECONDS = 40;

export const NO_RESPONSE_MESSAGE =
  'Blocked: the Gatehouse agent on this device does not answer, and tools may not be used without it.';

/**
 * The command of a hook, for a POSIX shell. curl starts five times as fast as Node. `-q` and
 * `--noproxy` ignore the user's settings.
 */
export function hookCommand(
  client: Exclude<ToolClient, 'mcp-gateway'>,
  { socket, failMode }: Hooks,
): string {
  const curl = [
    '/usr/bin/curl -q -sS --fail --noproxy "*" -H Expect:',
    `--max-time ${MAX_WAIT_SECONDS} --unix-socket ${quotedPath(socket)}`,
    `--data-binary @- ${HOOK_URL}${client} 2>/dev/null`,
  ].join(' ');
  const fallback =
    failMode === 'open' ? `echo '{}'` : `{ echo ${quoted(NO_RESPONSE_MESSAGE)} >&2; exit 2; }`;
  return `${curl} || ${fallback}`;
}

/** Whether an agent wrote this command. */
export const isHookCommand = (command: unknown): boolean =>
  typeof command === 'string' && command.includes(HOOK_URL);

/**
 * A shell expands `~` only outside of quotes. Device management would replace `$HOME` in a profile.
 */
const quotedPath = (path: string): string =>
  path.startsWith('~/') ? `~/${quoted(path.slice(2))}` : quoted(path);

/** The text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
