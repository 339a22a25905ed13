import type { PluginPlace } from '#agent/core/app-catalog/loaded-entry.ts';
import { pluginPlaces } from '#agent/core/app-catalog/plugins.ts';
import { installedClaudePlugins } from './claude-plugins.ts';
import { readManifest } from './loaded-text.ts';
import type { PluginRoot } from './plugin-root.ts';
import { filesOf, placedFiles, type PlacedFile } from './placed-files.ts';
import type { Scan } from './places/places.ts';

const withManifest = pluginPlaces.filter((place) => place.manifest !== undefined);

async function rootAt(
  scan: Scan,
  { path, entry, home }: PlacedFile<PluginPlace>,
): Promise<PluginRoot[]> {
  const declaredIn = `${path}/${entry.manifest}`;
  const manifest = await readManifest(scan, home, declaredIn);
  return manifest ? [{ dir: path, tool: entry.tool, home, manifest, declaredIn }] : [];
}

async function findRoots(scan: Scan): Promise<PluginRoot[]> {
  const roots: PluginRoot[] = [];
  for (const home of scan.homes) roots.push(...(await installedClaudePlugins(scan, home)));
  for (const folder of await placedFiles(scan, withManifest)) {
    scan.checkpoint();
    roots.push(...(await rootAt(scan, folder)));
  }
  return roots;
}

const found = new WeakMap<Scan, Promise<PluginRoot[]>>();

/** The plugins that have a folder, looked for once in a scan. */
export function pluginRoots(scan: Scan): Promise<PluginRoot[]> {
  const roots = found.get(scan) ?? findRoots(scan);
  found.set(scan, roots);
  return roots;
}

/** The files that entries of a tool name, in the folders of the tool's plugins. */
export async function pluginFiles<
  Entry extends { tool: string | null; plugin?: readonly string[] | undefined },
>(scan: Scan, entries: readonly Entry[]): Promise<PlacedFile<Entry>[]> {
  const files: PlacedFile<Entry>[] = [];
  for (const { dir, tool, home } of await pluginRoots(scan)) {
    const patterns = entries
      .filter((entry) => entry.tool === tool)
      .flatMap((entry) =>
        (entry.plugin ?? []).map((file) => ({ pattern: `${dir}/${file}`, entry })),
      );
    files.push(...(await filesOf(scan, home, patterns)));
  }
  return files;
}
