import { buffer } from 'node:stream/consumers';
import type { AgentConfig } from '#agent/config.ts';
import type { HookClient } from '#agent/core/tool-checks/tool-event.ts';
import { requestFromAgent, findToolSocket } from './agent-client.ts';

/** The time limit, longer than the agent waits for the control plane. */
const TIMEOUT_MS = 35_000;
/** The exit code with which a hook refuses the call. */
const REFUSED = 2;

/**
 * The command `hook CLIENT`, for hooks that people write themselves where curl is missing. The hooks
 * that the agent writes do not run this: they do the same with curl, which starts faster
 * (`hookCommand` in `domain/coding-agents/hook-command.ts`).
 *
 * Sends the event on standard input to the agent on this device, and prints the response in the
 * client's format.
 */
export async function runHook(
  config: AgentConfig,
  client: HookClient,
  { failClosed }: { failClosed: boolean },
): Promise<number> {
  const event = await buffer(process.stdin);
  const reply = await requestFromAgent(
    findToolSocket(config),
    `/hook/${client}`,
    event,
    TIMEOUT_MS,
  );
  if (reply?.status === 200) {
    process.stdout.write(reply.body);
    return 0;
  }
  const why = reply ? `the agent refused: ${reply.body.trim()}` : 'the agent does not answer';
  process.stderr.write(`hook ${client}: ${why}\n`);
  if (failClosed) return REFUSED;
  process.stdout.write('{}\n');
  return 0;
}
