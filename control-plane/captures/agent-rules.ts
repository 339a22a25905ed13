import { appCatalog } from '#domain/app-catalog/catalog.ts';

/** Assigns the captures of a device, an app, or both to an agent. */
export interface AgentRule {
  /** Null for any device. */
  device_id: string | null;
  /** The catalog id of an app, or the name of a process outside the catalog; null for any app. */
  app: string | null;
  /** Null if no runs are recorded. */
  agent_name: string | null;
}

/** The origin of an exchange, as reported by its capture. */
export interface Origin {
  device_id: string;
  app_id: string | null;
  process: string | null;
}

/** Returns the app of a capture as rules name it; null if unknown. */
export const appOf = ({ app_id, process }: Pick<Origin, 'app_id' | 'process'>): string | null =>
  app_id || process || null;

const UNKNOWN = 'captured';

const catalogIds: ReadonlySet<string> = new Set(appCatalog.map(({ id }) => id));

/**
 * Returns the agent according to the most specific rule: for device and app, for the device, for
 * the app, or for all. Without a rule, an app of the catalog is its own agent, and everything else
 * is one agent, so that a self-chosen process name cannot add runs to arbitrary agents. Returns
 * null if the rule says to record no runs.
 */
export function agentOf(rules: readonly AgentRule[], origin: Origin): string | null {
  const rule = mostSpecific(rules, origin);
  if (rule) return rule.agent_name;
  return origin.app_id !== null && catalogIds.has(origin.app_id) ? origin.app_id : UNKNOWN;
}

/**
 * Finds the rule that applies to an origin: for device and app, for the device, for the app, or for
 * all.
 */
export function mostSpecific(rules: readonly AgentRule[], origin: Origin): AgentRule | undefined {
  const { device_id } = origin;
  const app = appOf(origin);
  const candidates = [
    [device_id, app] as const,
    [device_id, null],
    [null, app],
    [null, null],
  ] as const;
  for (const [device, ofApp] of candidates) {
    const rule = rules.find((one) => one.device_id === device && one.app === ofApp);
    if (rule) return rule;
  }
  return undefined;
}
