import { z } from 'zod';
import { base } from './entry.ts';

/**
 * Entries for what programs load. Paths relative to a home folder have no leading slash;
 * `{app-data}` is the system's folder of application data, and `*` matches any part of a single
 * name.
 */
const below = z.string().regex(/^(\{app-data\}\/)?[^/{}~][^{}]*$/);
const absolute = z.string().regex(/^\/[^{}~]+$/);
const places = {
  /** Relative to every home folder. */
  home: z.array(below).min(1).optional(),
  /** Relative to every project folder. */
  project: z.array(below).min(1).optional(),
  /** Absolute paths of files that an administrator installs for all users. */
  managed: z.array(absolute).min(1).optional(),
};

/** A text that an agent reads as instructions, as a skill or as the definition of a sub-agent. */
export const agentFile = z.strictObject({
  ...base,
  kind: z.enum(['instruction_file', 'skill', 'sub_agent']),
  /** Catalog id of the program that reads the file; null if many programs do. */
  tool: z.string().nullable(),
  ...places,
  /** Relative to the folder of one of the tool's plugins. */
  plugin: z.array(below).min(1).optional(),
});
export type AgentFile = z.output<typeof agentFile>;

/** A file that declares commands which a program runs on its own when an event occurs. */
export const hookPlace = z.strictObject({
  ...base,
  kind: z.literal('hook'),
  tool: z.string(),
  /** `script`: each file is a program, named after the event that it runs on. */
  format: z.enum(['json', 'yaml', 'toml', 'script']),
  /**
   * Paths to members that hold hooks by event, or a single command. An empty path is the document.
   */
  keys: z.array(z.array(z.string())).min(1),
  ...places,
  plugin: z.array(below).min(1).optional(),
});
export type HookPlace = z.output<typeof hookPlace>;

/** The places where a program keeps its plugins, each of which is one folder or file. */
export const pluginPlace = z.strictObject({
  ...base,
  kind: z.literal('plugin'),
  tool: z.string(),
  /**
   * The file in a plugin's folder that names the plugin. Without it, every matching file is a
   * plugin.
   */
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
  /** Catalog id of the program that loads the models, if there is one. */
  tool: z.string().nullable(),
  /** How the models are stored; see local-models.ts. */
  layout: z.enum(['files', 'folders', 'ollama', 'hugging-face', 'docker']),
  /** The store's folder. For `files` and `folders`, the pattern of the models themselves. */
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
