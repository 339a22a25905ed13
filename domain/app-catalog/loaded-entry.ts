import { z } from 'zod';
import { base } from './entry.ts';

/**
 * Entries for what programs load. Paths below a home have no leading slash; `{app-data}` stands for
 * the system's folder of application data, `*` for any part of one name.
 */
const below = z.string().regex(/^(\{app-data\}\/)?[^/{}~][^{}]*$/);
const absolute = z.string().regex(/^\/[^{}~]+$/);
const places = {
  /** Below every home. */
  home: z.array(below).min(1).optional(),
  /** Below every folder of a project. */
  project: z.array(below).min(1).optional(),
  /** Absolute: what an administrator of the machine puts there for everybody. */
  managed: z.array(absolute).min(1).optional(),
};

/** A text that an agent reads as its instructions, as a skill or as the definition of a sub-agent. */
export const agentFile = z.strictObject({
  ...base,
  kind: z.enum(['instruction_file', 'skill', 'sub_agent']),
  /** Catalog id of the program that reads it; null where many do. */
  tool: z.string().nullable(),
  ...places,
  /** Inside of one of the tool's plugins. */
  plugin: z.array(below).min(1).optional(),
});
export type AgentFile = z.output<typeof agentFile>;

/** A file that declares commands which a program runs by itself when something happens. */
export const hookPlace = z.strictObject({
  ...base,
  kind: z.literal('hook'),
  tool: z.string(),
  /** `script`: each file is a program, named after what it is run for. */
  format: z.enum(['json', 'yaml', 'toml', 'script']),
  /** Members that hold hooks by event, or a command outright; an empty path is the document. */
  keys: z.array(z.array(z.string())).min(1),
  ...places,
  plugin: z.array(below).min(1).optional(),
});
export type HookPlace = z.output<typeof hookPlace>;

/** Where a program keeps its plugins, one folder or file each. */
export const pluginPlace = z.strictObject({
  ...base,
  kind: z.literal('plugin'),
  tool: z.string(),
  /** What of the folder names the plugin; none: every matching file is one. */
  manifest: z.string().optional(),
  /** Members of a settings file that list packages by name. */
  listed: z.array(z.string()).min(1).optional(),
  ...places,
});
export type PluginPlace = z.output<typeof pluginPlace>;

export const browserExtension = z.strictObject({
  ...base,
  kind: z.literal('browser_extension'),
  chromium: z
    .array(z.string().regex(/^[a-p]{32}$/))
    .min(1)
    .optional(),
  firefox: z.array(z.string().min(1)).min(1).optional(),
});
export type BrowserExtension = z.output<typeof browserExtension>;

export const builtInFeature = z.strictObject({
  ...base,
  kind: z.literal('built_in_feature'),
});
export type BuiltInFeature = z.output<typeof builtInFeature>;

export const modelStore = z.strictObject({
  ...base,
  kind: z.literal('local_model'),
  /** Catalog id of the program that loads the models, where there is one. */
  tool: z.string().nullable(),
  /** How models lie in it; see local-models.ts. */
  layout: z.enum(['files', 'folders', 'ollama', 'hugging-face', 'docker']),
  /** The store's folder; for `files` and `folders` the pattern of the models themselves. */
  home: z.array(below).min(1).optional(),
  system: z.array(absolute).min(1).optional(),
});
export type ModelStore = z.output<typeof modelStore>;

export type LoadedEntry =
  | AgentFile
  | HookPlace
  | PluginPlace
  | BrowserExtension
  | BuiltInFeature
  | ModelStore;
