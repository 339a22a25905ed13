import { appOfProcess } from '#agent/core/app-catalog/app-of-process.ts';
import type { FlowReport } from '#contract/fleet.ts';
import type { ControlPlaneAddresses } from './control-plane-addresses.ts';
import { type FlowObserver, observeFlows } from './flows/observer.ts';
import type { FlowMonitorPlace, OnResolved } from './flows/source/source.ts';
import { startLoop } from './loop.ts';
import type { Problems } from './problems.ts';

export type ObserveFlows = typeof observeFlows;

export interface ObservationOptions {
  stateFile: string;
  /** Is this device to observe flows now? */
  wanted: () => boolean;
  addresses: ControlPlaneAddresses;
  problems: Problems;
  onReport: (report: FlowReport) => void;
  onNotObserved: (from: number, to: number) => void;
  onResolved?: OnResolved | undefined;
  flowMonitor: FlowMonitorPlace;
  /** The observer runs, or it cannot: what can wait for the first look need not any longer. */
  onChecked: () => void;
  observe?: ObserveFlows | undefined;
}

export interface Observation {
  /** Starts or stops the observer, if that has changed. */
  check: () => void;
  openFlows: () => FlowReport[];
  stop: () => Promise<void>;
}

const retryMs = 10_000;

/** Keeps the flow observer running while it is wanted. */
export function startObservation(options: ObservationOptions): Observation {
  const { problems, observe = observeFlows } = options;
  let observer: FlowObserver | null = null;
  const said = new Set<string>();

  const stopObserver = async (): Promise<void> => {
    await observer?.stop();
    observer = null;
  };

  const start = (): Promise<FlowObserver> =>
    observe({
      stateFile: options.stateFile,
      exclude: options.addresses.list,
      appOf: appOfProcess,
      onReport: options.onReport,
      onNotObserved: options.onNotObserved,
      onResolved: options.onResolved,
      onProblem: (line) => problems.set('flows', [...said.add(line)]),
      flowMonitor: options.flowMonitor,
      onMonitorProblem: (line) => problems.set('flow monitor', line === null ? [] : [line]),
    });

  const loop = startLoop(async () => {
    if (!options.wanted()) {
      await stopObserver();
      said.clear();
      problems.set('flows');
      problems.set('flow monitor');
      return null;
    }
    try {
      observer ??= await start();
      return null;
    } catch (error) {
      problems.set('flows', [(error as Error).message]);
      return retryMs;
    } finally {
      options.onChecked();
    }
  });

  return {
    check: loop.wake,
    openFlows: () => observer?.openFlows() ?? [],
    stop: async () => {
      await loop.stop();
      await stopObserver();
    },
  };
}
