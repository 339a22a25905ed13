import { appOfProcess } from '#agent/core/recognition/app-of-process.ts';
import type { FlowReport } from '#contract/flows.ts';
import type { NamedConnection } from '../capture/listeners/capture-listener.ts';
import type { ControlPlaneAddresses } from '../link/control-plane-addresses.ts';
import { type FlowObserver, observeFlows } from '../flows/observer.ts';
import type { FlowMonitorAddress, OnResolved } from '../flows/source/flow-source.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';
import type { Signal } from '../signal.ts';

export type ObserveFlows = typeof observeFlows;

export interface FlowSupervisorOptions {
  stateFile: string;
  /** Returns whether this device should observe flows now. */
  isEnabled: () => boolean;
  addresses: ControlPlaneAddresses;
  problems: Problems;
  onReport: (report: FlowReport) => void;
  onGap: (from: number, to: number) => void;
  onResolved?: OnResolved | undefined;
  named?: Signal<NamedConnection>;
  flowMonitor: FlowMonitorAddress;
  /**
   * Called when the observer has started or failed to start: work that waits for the first poll may
   * begin.
   */
  onStartAttempted: () => void;
  observe?: ObserveFlows | undefined;
}

export interface FlowSupervisor {
  /** Starts or stops the observer if `isEnabled` has changed. */
  update: () => void;
  openFlows: () => FlowReport[];
  stop: () => Promise<void>;
}

const RETRY_MS = 10_000;

/** Keeps the flow observer running while it is enabled. */
export function startFlowSupervisor(options: FlowSupervisorOptions): FlowSupervisor {
  const { problems, observe = observeFlows } = options;
  let observer: FlowObserver | null = null;
  let onNamed: ((connection: NamedConnection) => void) | null = null;
  const reportedLines = new Set<string>();

  const stopObserver = async (): Promise<void> => {
    onNamed = null;
    await observer?.stop();
    observer = null;
  };

  const start = (): Promise<FlowObserver> =>
    observe({
      stateFile: options.stateFile,
      exclude: options.addresses.list,
      appOf: appOfProcess,
      onReport: options.onReport,
      onGap: options.onGap,
      onResolved: options.onResolved,
      subscribeNamed: (listener) => (onNamed = listener),
      onProblem: (line) => problems.set('flows', [...reportedLines.add(line)]),
      flowMonitor: options.flowMonitor,
      onMonitorProblem: (line) => problems.set('flow monitor', line === null ? [] : [line]),
    });

  const loop = startLoop(async () => {
    if (!options.isEnabled()) {
      await stopObserver();
      reportedLines.clear();
      problems.set('flows');
      problems.set('flow monitor');
      return null;
    }
    try {
      observer ??= await start();
      return null;
    } catch (error) {
      problems.set('flows', [(error as Error).message]);
      return RETRY_MS;
    } finally {
      options.onStartAttempted();
    }
  });

  options.named?.subscribe((connection) => onNamed?.(connection));

  return {
    update: loop.wake,
    openFlows: () => observer?.openFlows() ?? [],
    stop: async () => {
      await loop.stop();
      await stopObserver();
    },
  };
}
