import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { displayAddress, displayName } from '#agent/core/display.ts';
import { readConfig } from './config-file.ts';
import { limited } from './limited.ts';
import { readManifest } from './loaded-text.ts';
import type { PluginRoot } from './plugin-root.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

/**
 * The maximum number of plugins: more than any user has. The limit bounds lists that were inflated
 * on purpose.
 */
const MAX_PLUGINS = 1000;

type Fields = Record<string, unknown>;

const text = (fields: unknown, key: string): string | undefined => {
  const value = isObject(fields) && Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

async function documentAt(scan: Scan, home: Home, path: string): Promise<Fields> {
  const config = await readConfig(scan, home, `${home.dir}/.claude/${path}`, 'json');
  return isObject(config?.document) ? config.document : {};
}

/**
 * Reads the list of plugins. If it cannot be read, earlier findings in the plugins' folders are
 * kept.
 */
async function listOfPlugins(
  scan: Scan,
  home: Home,
): Promise<readonly (readonly [string, unknown])[]> {
  const dir = `${home.dir}/.claude/plugins`;
  const path = `${dir}/installed_plugins.json`;
  const config = await readConfig(scan, home, path, 'json');
  if (!config && (await scan.tree.resolve(path)) !== undefined)
    scan.notRead(`${dir}/`, 'its list of plugins was not read');
  const plugins = valueAt(config?.document, ['plugins']);
  if (!isObject(plugins)) return [];
  const at = { path: `${dir}/`, of: 'plugins' };
  return limited(scan, Object.entries(plugins), MAX_PLUGINS, at);
}

/** Describes the origin of a marketplace: a repository or an address, without a path. */
function marketplaceNote(marketplaces: Fields, name: string): string {
  const source = valueAt(marketplaces, [name, 'source']);
  const repository = text(source, 'repo');
  const address = text(source, 'url');
  const origin =
    repository === undefined
      ? address === undefined
        ? text(source, 'source')
        : displayAddress(address)
      : `${text(source, 'source') ?? 'git'} ${displayName(repository)}`;
  return `from the marketplace ${displayName(name)}${origin === undefined ? '' : `, ${origin}`}`;
}

const statusNote = (settings: Fields, id: string): string[] => {
  const enabled = valueAt(settings, ['enabledPlugins', id]);
  if (enabled === true) return ['switched on in the settings'];
  return enabled === false ? ['switched off in the settings'] : [];
};

/**
 * Returns the installations of a plugin. Version 1 of the list has one per plugin, version 2 a list
 * of them.
 */
const installations = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const exactVersion = /^v?\d+\.\d+\.\d+/;

/** Returns the plugins that Claude Code lists as installed, each with its installation folder. */
export async function installedClaudePlugins(scan: Scan, home: Home): Promise<PluginRoot[]> {
  const plugins = await listOfPlugins(scan, home);
  if (plugins.length === 0) return [];
  const marketplaces = await documentAt(scan, home, 'plugins/known_marketplaces.json');
  const settings = await documentAt(scan, home, 'settings.json');
  const roots: PluginRoot[] = [];
  for (const [id, value] of plugins) {
    const [name = '', marketplace = ''] = id.split('@');
    for (const installed of installations(value)) {
      const dir = text(installed, 'installPath');
      if (!dir?.startsWith('/')) continue;
      scan.checkpoint();
      const manifest = await readManifest(scan, home, `${dir}/.claude-plugin/plugin.json`);
      const version = text(installed, 'version') ?? null;
      roots.push({
        dir,
        tool: 'claude-code',
        home,
        manifest: manifest ?? {},
        declaredIn: `${home.dir}/.claude/plugins/installed_plugins.json`,
        listed: {
          name,
          version,
          notes: [marketplaceNote(marketplaces, marketplace), ...statusNote(settings, id)],
          pinned: text(installed, 'gitCommitSha') !== undefined || exactVersion.test(version ?? ''),
        },
      });
    }
  }
  return roots;
}
