import { setTimeout as pause } from 'node:timers/promises';
import type { ModelTraffic } from '../support/capture-world/model-traffic.ts';
import type { CaptureWorld } from '../support/capture-world/world.ts';
import type { Program } from '../support/processes.ts';
import type { ClientFailure } from './traffic.ts';

/**
 * A stop of the agent, during which the connections through it are closed, and its proxy is
 * unavailable until the next agent has started.
 */
interface Ending {
  from: number;
  to: number;
  proxyBack: number;
}

export interface Changes {
  agent: () => Program;
  make: (name: string) => Promise<void>;
  restarts: { controlPlane: number; agent: number };
  /** Whether the connection was closed by the stop. */
  isExcused: (failure: ClientFailure) => boolean;
}

/**
 * The time after a `kill -9` until clients must work again; on an idle machine it takes a second.
 */
const AFTER_KILL_MS = 5_000;
const OFF_MS = 2_000;

/** Changes the configuration and the state of capture while there is traffic. */
export async function startChanges(world: CaptureWorld, traffic: ModelTraffic): Promise<Changes> {
  let agent = await world.startAgent();
  await traffic.enableCapture();
  const restarts = { controlPlane: 0, agent: 0 };
  const endings: Ending[] = [];

  const restartAgent = async (signal: NodeJS.Signals, cutFor: number): Promise<void> => {
    const ending = { from: Date.now(), to: Infinity, proxyBack: Infinity };
    endings.push(ending);
    await agent.stop(signal);
    ending.to = Date.now() + cutFor;
    agent = await world.startAgent();
    await traffic.waitUntilRedirected();
    ending.proxyBack = Date.now();
    restarts.agent += 1;
  };
  const changes: Record<string, () => Promise<void>> = {
    'capture off and on': async () => {
      await traffic.disableCapture();
      await pause(OFF_MS);
      await traffic.enableCapture();
    },
    'control plane restarted': async () => {
      await world.restartControlPlane();
      restarts.controlPlane += 1;
    },
    'agent stopped and started': () => restartAgent('SIGTERM', 0),
    'agent killed and started': () => restartAgent('SIGKILL', AFTER_KILL_MS),
  };
  return {
    agent: () => agent,
    make: async (name) => changes[name]?.(),
    restarts,
    isExcused: ({ kind, startedAt, endedAt }) =>
      endings.some(
        ({ from, to, proxyBack }) =>
          endedAt >= from && startedAt <= (kind === 'through the proxy' ? proxyBack : to),
      ),
  };
}

/** In a long soak, the agent is stopped after a third of the time, and killed after two thirds. */
export function changesOf(round: number, rounds: number): string[] {
  const names = ['capture off and on'];
  if (round % 2 === 0) names.push('control plane restarted');
  if (rounds < 6) return names;
  if (round === Math.floor(rounds / 3)) names.push('agent stopped and started');
  if (round === Math.floor((2 * rounds) / 3)) names.push('agent killed and started');
  return names;
}
