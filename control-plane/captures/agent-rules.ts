import { appCatalog } from '#agent/core/app-catalog/catalog.ts';

/** Of which agent the runs are that are made of the captures of a device, an app, or both. */
export interface AgentRule {
  /** Null: of any device. */
  device_id: string | null;
  /** The catalog's id of an app, or the name of a process that is none; null: any. */
  app: string | null;
  /** Null: no runs are made. */
  agent_name: string | null;
}

/** Who made an exchange, as a capture tells. */
export interface Origin {
  device_id: string;
  app_id: string | null;
  process: string | null;
}

/** What rules call the app of a capture; null where it is not known. */
export const appOf = ({ app_id, process }: Pick<Origin, 'app_id' | 'process'>): string | null =>
  app_id || process || null;

const UNKNOWN = 'captured';

const catalogIds: ReadonlySet<string> = new Set(appCatalog.map(({ id }) => id));

/**
 * The agent by the most specific rule: for device and app, for the device, for the app, for all.
 * Without one, an app of the catalog is an agent of its own, and everything else is one agent: a name
 * that a device or program gives itself must not make runs of whatever agent it likes. Null where a
 * rule says that no runs are made.
 */
export function agentOf(rules: readonly AgentRule[], origin: Origin): string | null {
  const { device_id } = origin;
  const app = appOf(origin);
  const places = [[device_id, app] as const, [device_id, null], [null, app], [null, null]] as const;
  for (const [device, ofApp] of places) {
    const rule = rules.find((one) => one.device_id === device && one.app === ofApp);
    if (rule) return rule.agent_name;
  }
  return origin.app_id !== null && catalogIds.has(origin.app_id) ? origin.app_id : UNKNOWN;
}
