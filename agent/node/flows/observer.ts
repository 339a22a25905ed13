import type { FlowReport } from '#contract/fleet.ts';
import type { FlowOwner } from '#agent/core/flow-table.ts';
import { oneLine } from '#agent/core/one-line.ts';
import { startLoop } from '../loop.ts';
import { exactHosts, knownHost } from './catalog.ts';
import { readFlowState, writeFlowState } from './flow-state.ts';
import { toReport } from './flow-report.ts';
import { createResolvedNames } from './host-names-resolved.ts';
import type { HostNames } from './host-names.ts';
import { createRound } from './round.ts';
import { chooseSource } from './source/choose.ts';
import type { FlowMonitorPlace, OnResolved } from './source/source.ts';

export interface FlowObserverOptions {
  /** Where open flows are kept, so that they survive the agent. */
  stateFile: string;
  /** Milliseconds between two looks at the sockets; default 1000. */
  intervalMs?: number;
  /** A long-lived flow is reported again after this long, if its bytes moved; default 60000. */
  reportEveryMs?: number;
  /** Where the control plane is now: flows to it are left out. */
  exclude: () => { address: string; port: number }[];
  /** Names of remote hosts; by default what the system and the rights of the agent allow. */
  hostOf?: HostNames;
  /** The catalog id of the app that a process belongs to. */
  appOf: (process: FlowOwner) => string | undefined;
  onReport: (report: FlowReport) => void;
  /** Nothing was observed between the last poll of an earlier run and the first of this one. */
  onNotObserved?: (from: number, to: number) => void;
  /** One line, said once for each distinct cause. */
  onProblem: (line: string) => void;
  onResolved?: OnResolved | undefined;
  /** Of FlowMonitor, on macOS; none: only lsof is asked there. */
  flowMonitor?: FlowMonitorPlace | undefined;
  /** What is wrong with the connection to it, in one line; null: nothing. */
  onMonitorProblem?: ((line: string | null) => void) | undefined;
  now?: () => number;
}

export interface FlowObserver {
  /** Looks once more and ends. Open flows stay open in the state file, for the next start. */
  stop: () => Promise<void>;
  /** The flows that are open now, as last seen. */
  openFlows: () => FlowReport[];
}

/** The state file is written after reports, and this often to say when it was last looked. */
const saveEveryMs = 5_000;

/**
 * Observes the network flows of this machine: metadata only. Flows to hosts outside the AI catalog
 * are reported too, by address and without a name. Resolves after the first look.
 */
export async function observeFlows(options: FlowObserverOptions): Promise<FlowObserver> {
  const { stateFile, onReport, intervalMs = 1000, now = Date.now } = options;
  const sayProblem = sayOnce(options.onProblem);
  const earlier = await readFlowState(stateFile);
  if (earlier && 'problem' in earlier) sayProblem(earlier.problem);

  // The source emits its first event in a later turn of the event loop: `round` is set by then.
  const source = await chooseSource(process.platform, {
    onConnecting: (socket) => round.onConnecting(socket),
    onClosed: (end) => round.onClosed(end),
    isKnown: knownHost,
    onResolved: options.onResolved,
    flowMonitor: options.flowMonitor,
    onMonitorProblem: options.onMonitorProblem,
    now,
  });
  const names = options.hostOf ?? source.names ?? createResolvedNames({ hosts: exactHosts, now });
  const round = createRound(source, names, { ...options, now });
  if (earlier && 'flows' in earlier) round.resume(earlier).forEach(onReport);

  let savedAt = 0;
  const save = async () => {
    savedAt = now();
    await writeFlowState(stateFile, source.scope, savedAt, round.openFlows());
  };
  const look = async () => {
    const { reports, problem } = await round.look();
    if (problem !== undefined) sayProblem(problem);
    reports.forEach(onReport);
    if (reports.length > 0 || now() - savedAt >= saveEveryMs) await save();
  };
  const attempt = (work: () => Promise<void>) =>
    work().catch((error) => sayProblem(oneLine(`network flows: ${String(error)}`)));
  const lookAndRest = async (): Promise<number> => {
    await attempt(look);
    return intervalMs;
  };
  // Reported before the first look is saved, so that it is not lost between. An agent that was killed may
  // have looked until just before it would have saved.
  if (earlier && 'flows' in earlier && now() - earlier.seenAt > saveEveryMs) {
    options.onNotObserved?.(earlier.seenAt, now());
  }
  const looking = startLoop(lookAndRest, await lookAndRest());

  return {
    async stop() {
      await looking.stop();
      await attempt(look);
      source.close();
      names.stop();
      await attempt(save);
    },
    openFlows: () => round.openFlows().map(toReport),
  };
}

function sayOnce(say: (line: string) => void): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (said.has(line)) return;
    said.add(line);
    say(line);
  };
}
