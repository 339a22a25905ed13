import type { AgentConfig } from '#agent/config.ts';
import type { BackoffLimits } from '#agent/core/backoff.ts';
import type { AgentStatus } from '#agent/core/status.ts';
import type { OpenListeners } from './capture/listeners/open-listeners.ts';
import type { SentExchange } from './capture/sent-exchanges.ts';
import type { ExtensionsLimits } from './extensions/manage-extensions.ts';
import type { ScanInventory } from './reports/inventory-reports.ts';
import type { Log } from './log.ts';
import type { ObserveFlows } from './reports/flow-supervisor.ts';
import type { SystemTrust } from './system-trust/system-trust.ts';

export interface AgentOptions extends AgentConfig {
  log?: Log | undefined;
  observe?: ObserveFlows | undefined;
  scan?: ScanInventory | undefined;
  openListeners?: OpenListeners | undefined;
  /** Replaces the trust store of this machine. */
  trust?: SystemTrust | undefined;
  backoff?: BackoffLimits | undefined;
  extensionsLimits?: Partial<ExtensionsLimits> | undefined;
  /**
   * The interval in ms at which the managed preferences are polled, in addition to being watched.
   */
  preferencesPollMs?: number | undefined;
}

export interface AgentRuntime {
  status(): AgentStatus;
  /** Calls back after changes of the status, until the returned function is called. */
  onStatus(listener: (status: AgentStatus) => void): () => void;
  /** Returns an exchange of the status, as it was uploaded; null if no longer stored. */
  exchange: (id: string) => SentExchange | null;
  /** Pauses capture for as long as the configuration allows. Returns whether it is paused now. */
  pause: () => boolean;
  resume: () => void;
  /** Stops observing, closes all connections and leaves all unsent reports on disk. */
  stop(): Promise<void>;
}
