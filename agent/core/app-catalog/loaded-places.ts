import { agentFiles } from './agent-files.ts';
import { hookPlaces } from './hooks.ts';
import { pluginPlaces } from './plugins.ts';

/** Every file or pattern that is looked for in folders of projects, below the folder. */
export const loadedProjectFiles: readonly string[] = [
  ...agentFiles,
  ...hookPlaces,
  ...pluginPlaces,
].flatMap((entry) => entry.project ?? []);
