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

/** Texts that agents read, such as instructions, skills and definitions of sub-agents. */
export const agentFiles: readonly AgentFile[] = [
  ...instructionFiles,
  ...skillFolders,
  ...slashCommands,
  ...subAgentFiles,
];

/** Everything that programs load: extensions, files, hooks, plugins, models. */
export const loadedCatalog: readonly LoadedEntry[] = [
  ...browserExtensions,
  ...Object.values(builtInFeatures),
  ...agentFiles,
  ...hookPlaces,
  ...pluginPlaces,
  ...modelStores,
];

/** Every file or pattern that is searched for in project folders, relative to the folder. */
export const loadedProjectFiles: readonly string[] = [
  ...agentFiles,
  ...hookPlaces,
  ...pluginPlaces,
].flatMap((entry) => entry.project ?? []);
