import type { FlowReport } from '#contract/flows.ts';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { oneLine } from '#lib/one-line.ts';
import { startLoop } from '#lib/loop.ts';
import { catalogHosts, catalogHostOf, type HostNames } from './host-names.ts';
import { readFlowState, writeFlowState } from './flow-state.ts';
import { toFlowReport, createFlowPoller } from './flow-poller.ts';
import { createResolvedNames } from './host-names-resolved.ts';
import type { NamedConnection } from '../capture/listeners/capture-listener.ts';
import { chooseSource } from './source/choose-source.ts';
import type { FlowMonitorAddress, OnResolved } from './source/flow-source.ts';

export interface FlowObserverOptions {
  /** The file with the open flows, which lets them survive a restart of the agent. */
  stateFile: string;
  /** Milliseconds between two polls of the sockets; default 1000. */
  intervalMs?: number;
  /**
   * The time after which a long-lived flow is reported again if its bytes have changed; default
   * 60000.
   */
  reportIntervalMs?: number;
  /** Returns the current addresses of the control plane; flows to them are excluded. */
  exclude: () => { address: string; port: number }[];
  /**
   * Names of remote hosts; by default the most precise source that the system and the agent's
   * rights allow.
   */
  hostOf?: HostNames;
  /** Returns the catalog id of the app that a process belongs to. */
  appOf: (process: FlowOwner) => string | undefined;
  onReport: (report: FlowReport) => void;
  /**
   * Called with the period between the last poll of an earlier run and the first of this one, which
   * was not observed.
   */
  onGap?: (from: number, to: number) => void;
  /** Called with one line, once for each distinct cause. */
  onProblem: (line: string) => void;
  onResolved?: OnResolved | undefined;
  /** Subscribes to the connections that are redirected to the agent, before the first poll. */
  subscribeNamed?: ((listener: (connection: NamedConnection) => void) => void) | undefined;
  /** The socket of FlowMonitor, on macOS; without it only lsof is used. */
  flowMonitor?: FlowMonitorAddress | undefined;
  /**
   * Called with the problem of the connection to FlowMonitor, in one line; null if there is none.
   */
  onMonitorProblem?: ((line: string | null) => void) | undefined;
  now?: () => number;
}

export interface FlowObserver {
  /** Polls once more and stops. Open flows stay in the state file for the next start. */
  stop: () => Promise<void>;
  /** Returns the currently open flows, as last seen. */
  openFlows: () => FlowReport[];
}

/** The state file is written after reports, and at this interval to record the last poll. */
const SAVE_INTERVAL_MS = 5_000;

/**
 * Observes the network flows of this machine: metadata only. Flows to hosts outside the AI catalog
 * are reported too, by address and without a name. Resolves after the first poll.
 */
export async function observeFlows(options: FlowObserverOptions): Promise<FlowObserver> {
  const { stateFile, onReport, intervalMs = 1000, now = Date.now } = options;
  const reportProblem = reportDistinct(options.onProblem);
  const previousState = await readFlowState(stateFile);
  if (previousState && 'error' in previousState) reportProblem(previousState.error);

  // The source emits its first event in a later turn of the event loop, when `poller` is set.
  const source = await chooseSource(process.platform, {
    onConnecting: (socket) => poller.onConnecting(socket),
    onClosed: (end) => poller.onClosed(end),
    catalogHostOf,
    onResolved: options.onResolved,
    flowMonitor: options.flowMonitor,
    onMonitorProblem: options.onMonitorProblem,
    now,
  });
  options.subscribeNamed?.((connection) => source.addNamed?.(connection));
  const names = options.hostOf ?? source.names ?? createResolvedNames({ hosts: catalogHosts, now });
  const poller = createFlowPoller(source, names, { ...options, now });

  let savedAt = 0;
  const save = async () => {
    savedAt = now();
    await writeFlowState(stateFile, source.scope, savedAt, poller.openFlows());
  };
  const poll = async () => {
    const { reports, error } = await poller.poll();
    if (error !== undefined) reportProblem(error);
    reports.forEach(onReport);
    if (reports.length > 0 || now() - savedAt >= SAVE_INTERVAL_MS) await save();
  };
  const tryTo = (work: () => Promise<void>) =>
    work().catch((error) => reportProblem(oneLine(`network flows: ${String(error)}`)));
  const pollAndWait = async (): Promise<number> => {
    await tryTo(poll);
    return intervalMs;
  };
  // Reported before the first poll is saved, so that the gap cannot get lost in between. A killed
  // agent may have polled until just before its next save.
  try {
    if (previousState && 'flows' in previousState) {
      poller.restore(previousState).forEach(onReport);
      const { seenAt } = previousState;
      if (now() - seenAt > SAVE_INTERVAL_MS) options.onGap?.(seenAt, now());
    }
  } catch (error) {
    // Without this, each attempt to start would leave its descriptors open, and their events.
    source.close();
    names.stop();
    throw error;
  }

  const pollLoop = startLoop(pollAndWait, await pollAndWait());

  return {
    async stop() {
      await pollLoop.stop();
      await tryTo(poll);
      source.close();
      names.stop();
      await tryTo(save);
    },
    openFlows: () => poller.openFlows().map(toFlowReport),
  };
}

function reportDistinct(report: (line: string) => void): (line: string) => void {
  const reportedLines = new Set<string>();
  return (line) => {
    if (reportedLines.has(line)) return;
    reportedLines.add(line);
    report(line);
  };
}
