import { findAgentFiles } from './agent-files.ts';
import { findBrowserExtensions } from './browser-extensions.ts';
import { findAppleFeatures } from './built-in-features/apple.ts';
import { findBrowserFeatures } from './built-in-features/browsers.ts';
import { findEditorFeatures } from './built-in-features/editors.ts';
import { findCommandLineTools } from './command-line-tools.ts';
import { findDescribedBrew } from './described-brew.ts';
import { findDescribedCrates } from './described-crates.ts';
import { findDescribedGo } from './described-go.ts';
import { findDescribedTools } from './described-tools.ts';
import type { Finding } from './finding.ts';
import { findHooks } from './hooks.ts';
import { findLocalModels } from './local-models.ts';
import { findLocalModelServers } from './local-model-servers.ts';
import { findMcpServers } from './mcp-servers.ts';
import { findPlugins } from './plugins.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import { findJetbrainsPlugins } from './jetbrains-plugins.ts';
import { findVimPlugins } from './vim-plugins.ts';
import { findVscodeExtensions } from './vscode-extensions.ts';
import { findZedExtensions } from './zed-extensions.ts';

const editorDetectors = [
  findVscodeExtensions,
  findJetbrainsPlugins,
  findVimPlugins,
  findZedExtensions,
];

/** AI extensions and plugins of all editors, in a fixed order. */
async function findEditorExtensions(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const detect of editorDetectors) found.push(...(await detect(scan)));
  return found;
}

/** Plugins and MCP servers together: both need the search for plugins, which declare servers. */
const findPluginsAndServers = async (scan: Scan): Promise<Finding[]> => [
  ...(await findPlugins(scan)),
  ...(await findMcpServers(scan)),
];

/**
 * Finds apps of one kind. A detector must use `scan` for all access: its findings are reused as
 * long as its reads would return the same.
 */
export type Detector = (scan: Scan) => Promise<Finding[]>;

export const detectors: readonly Detector[] = [
  (scan) => scan.platformPaths.findDesktopApps(scan),
  findCommandLineTools,
  findDescribedTools,
  findDescribedBrew,
  findDescribedCrates,
  findDescribedGo,
  findEditorExtensions,
  findLocalModelServers,
  findBrowserExtensions,
  findBrowserFeatures,
  findEditorFeatures,
  findAppleFeatures,
  findPluginsAndServers,
  findAgentFiles,
  findHooks,
  findLocalModels,
];
