import { packageOf, isPinned } from '#agent/core/recognition/launched-package.ts';
import { packageText } from '#agent/core/recognition/launch-text.ts';
import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import type { RiskFlag } from '#agent/core/risk-flags.ts';
import { displayName } from '#agent/core/display.ts';
import { flagsOfText } from '#agent/core/text-risks.ts';
import type { PluginPlace } from '#domain/app-catalog/loaded-entry.ts';
import { loadingTools, type LoadingTool } from '#domain/app-catalog/loading-tools.ts';
import { pluginPlaces } from '#domain/app-catalog/plugins.ts';
import { readConfig } from './config-file.ts';
import type { Finding } from './finding.ts';
import {
  truncationFlags,
  truncationNotes,
  flagsOfFileMode,
  readLoadedText,
  readManifest,
  type Settings,
} from './loaded-text.ts';
import { locateFiles, type LocatedFile } from './located-files.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import type { PluginRoot } from './plugin-root.ts';
import { pluginRoots } from './plugin-roots.ts';

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const toolName = (tool: string) => loadingTools[tool as LoadingTool][0];

const text = (manifest: Settings, key: string): string | undefined => {
  const value = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

const hookFiles = ['hooks/hooks.json', 'hooks.json'];

async function hasHooks(scan: Scan, { dir, manifest }: PluginRoot): Promise<boolean> {
  if (Object.hasOwn(manifest, 'hooks')) return true;
  const found = await Promise.all(hookFiles.map((file) => scan.tree.resolve(`${dir}/${file}`)));
  return found.some((path) => path !== undefined);
}

/** Whether an extension of Gemini CLI is pinned: from a repository, only at a tag or a commit. */
async function isPinnedExtension(scan: Scan, { dir, home }: PluginRoot): Promise<boolean> {
  const installed = await readManifest(scan, home, `${dir}/.gemini-extension-install.json`);
  if (!installed || text(installed, 'type') === 'local') return true;
  return text(installed, 'ref') !== undefined && installed['autoUpdate'] !== true;
}

/**
 * Returns the title; the plugin's own manifest takes precedence over the list of installed plugins.
 */
function titleOf({ dir, manifest, listed }: PluginRoot) {
  return {
    name: displayName(text(manifest, 'name') ?? listed?.name ?? baseName(dir)),
    version: text(manifest, 'version') ?? listed?.version ?? null,
  };
}

async function findingOfRoot(scan: Scan, root: PluginRoot): Promise<Finding> {
  const hooks = await hasHooks(scan, root);
  const pinned = root.listed?.pinned ?? (await isPinnedExtension(scan, root));
  const flags: RiskFlag[] = pinned ? [] : ['unpinned_dependency'];
  return {
    ...titleOf(root),
    kind: 'plugin',
    catalogId: root.tool,
    path: root.dir,
    user: root.home?.user ?? null,
    signals: [
      { kind: 'location', text: `in ${root.dir}, loaded by ${toolName(root.tool)}` },
      { kind: 'manifest', text: `named in ${root.declaredIn}` },
    ],
    notes: [...(root.listed?.notes ?? []), ...(hooks ? ['brings hooks'] : [])],
    flags: hooks ? [...flags, 'runs_commands'] : flags,
  };
}

/** A plugin in one file: code that runs with the tool. */
async function scriptAt(scan: Scan, place: LocatedFile<PluginPlace>): Promise<Finding[]> {
  const { path, entry, home } = place;
  const loaded = await readLoadedText(scan, home, path);
  if (!loaded || path.endsWith('.d.ts')) return [];
  const { worldReadable } = loaded;
  const flags: RiskFlag[] = [
    'runs_commands',
    ...flagsOfText(loaded.text),
    ...truncationFlags(loaded),
  ];
  const name = baseName(path) === 'index.ts' ? (path.split('/').at(-2) ?? '') : baseName(path);
  return [
    {
      kind: 'plugin',
      name: displayName(name),
      catalogId: entry.tool,
      version: null,
      path,
      user: home?.user ?? null,
      signals: [
        { kind: 'location', text: `in ${path}, loaded by ${toolName(entry.tool)}` },
        { kind: 'name', text: `named ${displayName(name)}` },
      ],
      notes: truncationNotes(loaded),
      flags: [...flags, ...(await flagsOfFileMode(scan, path, { worldReadable, flags }))],
    },
  ];
}

/**
 * Returns the package name in a text, in a list of it and its options, or in an object with the
 * source.
 */
function packageName(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const name = isObject(first) ? valueAt(first, ['source']) : first;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

async function packagesIn(scan: Scan, place: LocatedFile<PluginPlace>): Promise<Finding[]> {
  const { path, entry, home } = place;
  const format = 'json';
  const document = (await readConfig(scan, home, path, format))?.document;
  const values = valueAt(document, entry.listed ?? []);
  return (Array.isArray(values) ? values : []).flatMap((value): Finding[] => {
    const name = packageName(value);
    const launched = name === undefined ? undefined : packageOf('npx', [name]);
    if (!launched) return [];
    return [
      {
        kind: 'plugin',
        name: displayName(launched.package.name),
        catalogId: entry.tool,
        version: launched.package.version ?? null,
        path,
        user: home?.user ?? null,
        signals: [
          { kind: 'location', text: `in ${path}, loaded by ${toolName(entry.tool)}` },
          { kind: 'declaration', text: `package ${packageText(launched.package)}` },
        ],
        flags: [
          'runs_commands',
          ...(isPinned(launched.package) ? [] : ['unpinned_dependency' as const]),
        ],
      },
    ];
  });
}

const singleFiles = pluginPlaces.filter((place) => !place.manifest);

/** Plugins and extensions of agents: folders with a manifest, single files, packages by name. */
export async function findPlugins(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const root of await pluginRoots(scan)) found.push(await findingOfRoot(scan, root));
  for (const place of await locateFiles(scan, singleFiles)) {
    scan.checkpoint();
    found.push(...(await (place.entry.listed ? packagesIn : scriptAt)(scan, place)));
  }
  return found;
}
