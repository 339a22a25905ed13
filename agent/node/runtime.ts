import type { AgentOptions, AgentRuntime } from './agent-runtime.ts';
import { takeLock } from './lock.ts';
import { createLog } from './log.ts';
import { openStateFolder } from './state.ts';
import { wireAgent } from './wiring.ts';

export type { AgentOptions, AgentRuntime } from './agent-runtime.ts';

/**
 * Starts the agent on its state folder. Rejects with an Error of one line if another agent uses
 * the folder or if it cannot be used; everything after that is a problem in the status.
 */
export async function startAgent(options: AgentOptions): Promise<AgentRuntime> {
  const log = options.log ?? createLog({ level: options.logLevel });
  openStateFolder(options.stateDir);
  const taken = await takeLock(options.stateDir);
  if ('error' in taken) throw new Error(taken.error);
  try {
    const agent = await wireAgent(options, log);
    const stop = (): Promise<void> => agent.stop().finally(() => taken.lock.release());
    let stopped: Promise<void> | undefined;
    return { ...agent, stop: () => (stopped ??= stop()) };
  } catch (error) {
    taken.lock.release();
    throw error;
  }
}
