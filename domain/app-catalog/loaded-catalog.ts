import { browserExtensions } from './browser-extensions.ts';
import { builtInFeatures } from './built-in-features.ts';
import { hookPlaces } from './hooks.ts';
import type { LoadedEntry, AgentFile } from './loaded-entry.ts';
import { modelStores } from './model-stores.ts';
import { pluginPlaces } from './plugins.ts';
import { instructionFiles } from './instruction-files.ts';
import { skillFolders } from './skills.ts';
import { slashCommands } from './slash-commands.ts';
import { subAgentFiles } from './sub-agents.ts';

/** Texts that agents read, by the tool that reads them. */
export const agentFiles: readonly AgentFile[] = [
  ...instructionFiles,
  ...skillFolders,
  ...slashCommands,
  ...subAgentFiles,
];

/** Everything the agent knows of what programs load: extensions, files, hooks, plugins, models. */
export const loadedCatalog: readonly LoadedEntry[] = [
  ...browserExtensions,
  ...Object.values(builtInFeatures),
  ...agentFiles,
  ...hookPlaces,
  ...pluginPlaces,
  ...modelStores,
];

/** Every file or pattern that is looked for in folders of projects, below the folder. */
export const loadedProjectFiles: readonly string[] = [
  ...agentFiles,
  ...hookPlaces,
  ...pluginPlaces,
].flatMap((entry) => entry.project ?? []);
