import type { FlowReport } from '#contract/fleet.ts';

export interface Reached {
  app_id: string;
  host: string;
}

export interface ReachedHosts {
  add: (flow: FlowReport) => void;
  list: () => Reached[];
}

const MOST = 500;

/** Which hosts of the catalog the apps on this device were seen to reach since the agent started. */
export function createReachedHosts(): ReachedHosts {
  const reached = new Map<string, Reached>();
  return {
    add: ({ app_id, host }) => {
      if (app_id === null || host === null || reached.size >= MOST) return;
      reached.set(`${app_id} ${host}`, { app_id, host });
    },
    list: () => [...reached.values()],
  };
}
