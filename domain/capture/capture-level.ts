import type { CaptureLevel } from '#contract/captures.ts';
import { appCatalog } from '../app-catalog/catalog.ts';
import { isInterpreterOf, trustStoreOf } from './trust-store.ts';

/** Something that a program did with a host. */
interface Trace {
  app_id: string | null;
  process: string | null;
  host: string;
}

/** All that is known of one device. */
export interface CaptureFacts {
  /** The hosts that capture is on for. */
  capturedHosts: ReadonlySet<string>;
  /** Exchanges that arrived with a body. */
  contents: readonly (Trace & { started_at: number })[];
  refusals: readonly (Trace & { since: number })[];
  /** Which hosts apps were seen to reach. */
  reached: readonly { app_id: string; host: string }[];
}

const entries = new Map(appCatalog.map((entry) => [entry.id, entry]));

/**
 * How much of an app of the catalog can be captured on a device, as far as is known: what was seen
 * counts before what is expected, and of what was seen the latest.
 */
export function captureLevel(app_id: string, facts: CaptureFacts): CaptureLevel {
  const store = trustStoreOf(app_id);
  const reached = facts.reached.filter((one) => one.app_id === app_id).map(({ host }) => host);
  const isOf = traceOf(app_id, reached);
  const refusals = facts.refusals.filter(isOf);
  const refusedSince = Math.max(...refusals.map(({ since }) => since));
  const contents = facts.contents.filter(isOf);
  const common = { app_id, store, hosts: [] as string[] };

  if (entries.get(app_id)?.kind === 'local_model_server')
    return { ...common, level: 'metadata', reason: 'local_server' };
  if (facts.capturedHosts.size === 0) return { ...common, level: 'off', reason: 'capture_off' };
  if (reached.length > 0 && !reached.some((host) => facts.capturedHosts.has(host)))
    return { ...common, level: 'off', reason: 'hosts_off', hosts: sorted(reached) };
  if (contents.some(({ started_at }) => started_at >= refusedSince))
    return { ...common, level: 'content', reason: 'content_seen' };
  if (refusals.length > 0)
    return {
      ...common,
      level: 'metadata',
      reason: 'refused',
      hosts: sorted(refusals.map(({ host }) => host)),
    };
  if (store !== 'system' && store !== 'unknown')
    return { ...common, level: 'metadata', reason: 'own_store' };
  return { ...common, level: 'unknown', reason: 'not_seen' };
}

/**
 * Which traces are of this app: those with its id, those of its program, and those of its
 * interpreter with hosts that the app was seen to reach.
 */
function traceOf(app_id: string, reached: readonly string[]): (trace: Trace) => boolean {
  const entry = entries.get(app_id);
  const binaries = entry?.kind === 'cli' ? entry.binaries : [];
  const store = trustStoreOf(app_id);
  return (trace) =>
    trace.app_id === null
      ? binaries.includes(trace.process ?? '') ||
        (isInterpreterOf(store, trace.process) && reached.includes(trace.host))
      : trace.app_id === app_id;
}

const sorted = (hosts: readonly string[]): string[] => [...new Set(hosts)].sort();
