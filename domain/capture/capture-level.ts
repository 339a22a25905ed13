import type { CaptureLevel, TrustStore } from '#contract/captures.ts';
import { appCatalog } from '../app-catalog/catalog.ts';
import type { CatalogEntry } from '../app-catalog/entry.ts';

/** Native programs that were observed to accept a root certificate only from the system's store. */
const usesSystemStore = new Set(['claude-code', 'codex-cli', 'opencode']);

/**
 * The trust store of an app. Packages from npm or PyPI run on an interpreter with its own list of
 * authorities. Desktop apps use Chromium's or the system's store.
 */
function storeOf(entry: CatalogEntry): TrustStore {
  if (usesSystemStore.has(entry.id)) return 'system';
  switch (entry.kind) {
    case 'desktop_app':
      return 'system';
    case 'cli':
      return entry.npm ? 'node' : entry.pypi ? 'python' : 'unknown';
    case 'editor_extension':
      // VS Code passes the system's roots (`http.systemCertificates`) to extensions, a JetBrains
      // IDE its own.
      return entry.vscode ? 'system' : 'java';
    default:
      return 'unknown';
  }
}

const stores = new Map(appCatalog.map((entry) => [entry.id, storeOf(entry)]));

export const trustStoreOf = (catalogId: string): TrustStore => stores.get(catalogId) ?? 'unknown';

/** Whether the process is the interpreter of programs with this trust store. */
export const isInterpreterOf = (store: TrustStore, process: string | null): boolean =>
  process !== null &&
  ((store === 'node' && /^node(js)?$/.test(process)) ||
    (store === 'python' && /^python[\d.]*$/i.test(process)));

/** An observation of a program's traffic with a host. */
interface Observation {
  app_id: string | null;
  process: string | null;
  host: string;
}

/** The observations of one device. */
export interface CaptureFacts {
  /** The hosts that capture is on for. */
  capturedHosts: ReadonlySet<string>;
  /** Exchanges that arrived with a body. */
  contents: readonly (Observation & { started_at: number })[];
  refusals: readonly (Observation & { since: number })[];
  /** The hosts that each app was observed to reach. */
  reached: readonly { app_id: string; host: string }[];
}

const entries = new Map(appCatalog.map((entry) => [entry.id, entry]));

/**
 * How much of a catalog app's traffic can be captured on a device, as far as known. Observations
 * take precedence over expectations, and later observations over earlier ones.
 */
export function captureLevel(app_id: string, facts: CaptureFacts): CaptureLevel {
  const store = trustStoreOf(app_id);
  const reached = facts.reached.filter((one) => one.app_id === app_id).map(({ host }) => host);
  const isOfApp = appObservationFilter(app_id, reached);
  const refusals = facts.refusals.filter(isOfApp);
  const refusedSince = Math.max(...refusals.map(({ since }) => since));
  const contents = facts.contents.filter(isOfApp);
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
 * Selects the observations of this app: those with its id, those of its program, and those of its
 * interpreter with a host that the app was observed to reach.
 */
function appObservationFilter(
  app_id: string,
  reached: readonly string[],
): (observation: Observation) => boolean {
  const entry = entries.get(app_id);
  const binaries = entry?.kind === 'cli' ? entry.binaries : [];
  const store = trustStoreOf(app_id);
  return (observation) =>
    observation.app_id === null
      ? binaries.includes(observation.process ?? '') ||
        (isInterpreterOf(store, observation.process) && reached.includes(observation.host))
      : observation.app_id === app_id;
}

const sorted = (hosts: readonly string[]): string[] => [...new Set(hosts)].sort();
