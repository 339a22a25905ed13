import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { acquireLock } from './state/lock.ts';
import { createLog } from './log.ts';
import { openStateFolder, unusable } from './state/state.ts';
import { createAgent } from './create-agent.ts';

export type { AgentOptions, AgentRuntime } from './agent-runtime.ts';

/**
 * Starts the agent on its state folder. Rejects with a one-line Error if another agent uses the
 * folder or if it cannot be used; all later errors become problems in the status.
 */
export async function startAgent(options: AgentOptions): Promise<AgentRuntime> {
  const log = options.log ?? createLog({ level: options.logLevel });
  openStateFolder(options.stateDir);
  const acquired = await acquireLock(options.stateDir).catch((error: unknown) => {
    throw unusable(options.stateDir, error);
  });
  if ('error' in acquired) throw new Error(acquired.error);
  try {
    const agent = await createAgent(options, log);
    const stop = (): Promise<void> => agent.stop().finally(() => acquired.lock.release());
    let stopped: Promise<void> | undefined;
    return { ...agent, stop: () => (stopped ??= stop()) };
  } catch (error) {
    acquired.lock.release();
    throw error;
  }
}
