import type { TrustStore } from '#contract/captures.ts';
import { appCatalog } from '../app-catalog/catalog.ts';
import type { CatalogEntry } from '../app-catalog/entry.ts';

/** Native programs that were seen to accept a root of the system's store, and no other place. */
const seenWithSystemStore = new Set(['claude-code', 'codex-cli', 'opencode']);

/**
 * Where an app looks for the authorities that it trusts. A package of npm or PyPI runs on an
 * interpreter that has a list of its own; desktop apps use what Chromium or the system does.
 */
function storeOf(entry: CatalogEntry): TrustStore {
  if (seenWithSystemStore.has(entry.id)) return 'system';
  switch (entry.kind) {
    case 'desktop_app':
      return 'system';
    case 'cli':
      return entry.npm ? 'node' : entry.pypi ? 'python' : 'unknown';
    case 'editor_extension':
      // VS Code hands them the system's roots (`http.systemCertificates`), a JetBrains IDE its own.
      return entry.vscode ? 'system' : 'java';
    default:
      return 'unknown';
  }
}

const stores = new Map(appCatalog.map((entry) => [entry.id, storeOf(entry)]));

export const trustStoreOf = (catalogId: string): TrustStore => stores.get(catalogId) ?? 'unknown';

/** Is this the interpreter that programs with such a store run on? */
export const isInterpreterOf = (store: TrustStore, process: string | null): boolean =>
  process !== null &&
  ((store === 'node' && /^node(js)?$/.test(process)) ||
    (store === 'python' && /^python[\d.]*$/i.test(process)));
