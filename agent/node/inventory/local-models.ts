import { displayName } from '#agent/core/display.ts';
import type { ModelStore } from '#domain/app-catalog/loaded-entry.ts';
import { modelStores } from '#domain/app-catalog/model-stores.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { fixedFolder, limited } from './limited.ts';
import { layouts, MAX_MODELS, type Model } from './model-layouts.ts';
import { requiresConsent } from './located-files.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size in decimal units, as file managers do. */
export function formatSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

const isModelRecord = ({ layout }: ModelStore) => layout !== 'files' && layout !== 'folders';

function findingOf(model: Model, store: ModelStore, home: Home | undefined): Finding {
  const size = model.size === null ? [] : [`size: ${formatSize(model.size)}`];
  return {
    kind: 'local_model',
    name: displayName(model.name),
    catalogId: store.tool,
    version: null,
    path: model.path,
    user: home?.user ?? null,
    signals: [
      { kind: 'location', text: `in ${model.path}, among ${store.name}` },
      isModelRecord(store)
        ? { kind: 'manifest', text: `format: ${displayName(model.format)}` }
        : { kind: 'name', text: `format: ${displayName(model.format)}` },
    ],
    notes: size,
  };
}

async function modelsAt(
  scan: Scan,
  { store, pattern, home }: { store: ModelStore; pattern: string; home: Home | undefined },
): Promise<Finding[]> {
  const paths = await expand(scan.tree, pattern);
  const found: Finding[] = [];
  const at = { path: fixedFolder(pattern), of: 'models' };
  for (const path of limited(scan, paths, MAX_MODELS, at)) {
    scan.checkpoint();
    const models = await layouts[store.layout](scan, path);
    found.push(...models.map((model) => findingOf(model, store, home)));
  }
  return found;
}

/** Models on disk: names, sizes and formats, from manifests and folders. No weights are read. */
export async function findLocalModels(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const store of modelStores) {
    for (const pattern of store.system ?? [])
      found.push(...(await modelsAt(scan, { store, pattern, home: undefined })));

    for (const home of scan.homes)
      for (const place of store.home ?? []) {
        if (await requiresConsent(scan, home, place)) continue;
        const pattern = `${home.dir}/${place.replace('{app-data}', scan.platformPaths.appData)}`;
        found.push(...(await modelsAt(scan, { store, pattern, home })));
      }
  }
  return found;
}
