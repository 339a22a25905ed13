import type { PluginPlace } from '#domain/app-catalog/loaded-entry.ts';
import { pluginPlaces } from '#domain/app-catalog/plugins.ts';
import { installedClaudePlugins } from './claude-plugins.ts';
import { readManifest } from './loaded-text.ts';
import type { PluginRoot } from './plugin-root.ts';
import { filesOf, locateFiles, type LocatedFile } from './located-files.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

const withManifest = pluginPlaces.filter((place) => place.manifest !== undefined);

async function rootAt(
  scan: Scan,
  { path, entry, home }: LocatedFile<PluginPlace>,
): Promise<PluginRoot[]> {
  const declaredIn = `${path}/${entry.manifest}`;
  const manifest = await readManifest(scan, home, declaredIn);
  return manifest ? [{ dir: path, tool: entry.tool, home, manifest, declaredIn }] : [];
}

async function findRoots(scan: Scan): Promise<PluginRoot[]> {
  const roots: PluginRoot[] = [];
  for (const home of scan.homes) roots.push(...(await installedClaudePlugins(scan, home)));
  for (const folder of await locateFiles(scan, withManifest)) {
    scan.checkpoint();
    roots.push(...(await rootAt(scan, folder)));
  }
  return roots;
}

/** Returns the plugins that have a folder, searched once per scan. */
export const pluginRoots = (scan: Scan): Promise<readonly PluginRoot[]> =>
  (scan.pluginRoots ??= findRoots(scan));

/** Returns the files named by a tool's entries, in the folders of the tool's plugins. */
export async function pluginFiles<
  Entry extends { kind: string; tool: string | null; plugin?: readonly string[] | undefined },
>(scan: Scan, entries: readonly Entry[]): Promise<LocatedFile<Entry>[]> {
  const files: LocatedFile<Entry>[] = [];
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
