import { agentFiles } from './agent-files.ts';
import { browserExtensions } from './browser-extensions.ts';
import { builtInFeatures } from './built-in-features.ts';
import { hookPlaces } from './hooks.ts';
import type { LoadedEntry } from './loaded-entry.ts';
import { modelStores } from './model-stores.ts';
import { pluginPlaces } from './plugins.ts';

/** Everything the agent knows of what programs load: extensions, files, hooks, plugins, models. */
export const loadedCatalog: readonly LoadedEntry[] = [
  ...browserExtensions,
  ...Object.values(builtInFeatures),
  ...agentFiles,
  ...hookPlaces,
  ...pluginPlaces,
  ...modelStores,
];
