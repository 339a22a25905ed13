import type { AgentConfig } from '#agent/config.ts';
import type { BackoffLimits } from '#agent/core/backoff.ts';
import type { AgentStatus } from '#agent/core/status.ts';
import type { ScanInventory } from './inventory-reports.ts';
import { takeLock } from './lock.ts';
import { createLog, type Log } from './log.ts';
import type { ObserveFlows } from './observation.ts';
import { openStateFolder } from './state.ts';
import { wireAgent } from './wiring.ts';

export interface AgentOptions extends AgentConfig {
  log?: Log | undefined;
  observe?: ObserveFlows | undefined;
  scan?: ScanInventory | undefined;
  backoff?: BackoffLimits | undefined;
  /** How often the managed preferences are looked at besides being watched. */
  preferencesLookMs?: number | undefined;
}

export interface AgentRuntime {
  status(): AgentStatus;
  /** Calls back after changes of the status, until the returned function is called. */
  onStatus(listener: (status: AgentStatus) => void): () => void;
  /** Stops observing, closes all connections and leaves everything unsent on disk. */
  stop(): Promise<void>;
}

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
