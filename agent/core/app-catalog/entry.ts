import { z } from 'zod';
import { appKinds } from '#contract/fleet.ts';

const texts = z.array(z.string().min(1)).min(1).optional();
const base = {
  id: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1).max(200),
  vendor: z.string().min(1),
};
const [desktopKind, cliKind, extensionKind, mcpKind, serverKind] = appKinds;

/** A path below a home folder. */
const homePath = z.string().regex(/^[^/{}~][^{}]*$/);
/** The same, where `{app-data}` may stand for the system's folder of application data. */
const placePath = z.string().regex(/^(\{app-data\}\/)?[^/{}~][^{}]*$/);
const installDir = z.string().regex(/^(\/|~\/).*\/$/, 'absolute or below ~, ending in a slash');

export const desktopApp = z.strictObject({
  ...base,
  kind: z.literal(desktopKind),
  darwin: z
    .strictObject({
      bundleIds: z.array(z.string().regex(/^[\w.-]+$/)).min(1),
      appNames: z.array(z.string().regex(/^[^/]+$/)).min(1),
    })
    .optional(),
  linux: z
    .strictObject({
      /** File names of desktop entries, without `.desktop`. */
      desktopIds: texts,
      installDirs: z.array(installDir).optional(),
      debs: texts,
      /** What the file name of its AppImage starts with. */
      appImages: texts,
      /** Settings folder: confirms an AppImage. */
      settings: z.array(homePath).optional(),
    })
    .optional(),
});
export type DesktopApp = z.output<typeof desktopApp>;

/** A setting that switches a safety off: the flag holds when the value at `key` is one of these. */
const settingCheck = z.strictObject({
  flag: z.enum(['bypass_permissions', 'broad_host_permissions']),
  file: homePath,
  format: z.enum(['json', 'yaml', 'toml']),
  key: z.array(z.string()).min(1),
  values: z.array(z.union([z.string(), z.boolean()])).min(1),
});
export type SettingCheck = z.output<typeof settingCheck>;

export const commandLineTool = z.strictObject({
  ...base,
  kind: z.literal(cliKind),
  binaries: z.array(z.string().regex(/^[\w.-]+$/)).min(1),
  npm: texts,
  /**
   * Its npm packages with an executable for one system are called `<this>-<system>-<processor>`: the
   * names in `npm` unless said.
   */
  npmNative: texts,
  pypi: texts,
  /** Formula or cask. */
  brew: texts,
  cargo: texts,
  debs: texts,
  installDirs: z.array(installDir).optional(),
  /** Files or folders that the tool keeps in a home once it was used. */
  homes: z.array(homePath).optional(),
  checks: z.array(settingCheck).optional(),
});
export type CommandLineTool = z.output<typeof commandLineTool>;

export const editorExtension = z.strictObject({
  ...base,
  kind: z.literal(extensionKind),
  /** `publisher.name`, lower case. */
  vscode: z.array(z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/)).optional(),
  jetbrains: z.array(z.string().regex(/^[\w.-]+$/)).optional(),
});
export type EditorExtension = z.output<typeof editorExtension>;

export const knownMcpServer = z.strictObject({
  ...base,
  kind: z.literal(mcpKind),
  /** npm, PyPI or container image names, without version. */
  packages: texts,
  hosts: z.array(z.hostname()).optional(),
  can: z.array(z.enum(['run-commands', 'write-files'])).optional(),
});
export type KnownMcpServer = z.output<typeof knownMcpServer>;

export const localModelServer = z.strictObject({
  ...base,
  kind: z.literal(serverKind),
  ports: z.array(z.int().min(1).max(65535)).min(1),
  executables: texts,
  /** Exact executable paths. */
  paths: z.array(z.string().startsWith('/')).optional(),
  /** Parts of a path that confirm an executable of the right name. */
  parts: z.array(z.string().regex(/^\/.*\/$/)).optional(),
  /** Interpreted servers: the module or script that the interpreter was started with. */
  scripts: texts,
});
export type LocalModelServer = z.output<typeof localModelServer>;

export const mcpConfigPlace = z.strictObject({
  /** The program that reads the file. */
  client: z.string().min(1),
  format: z.enum(['json', 'yaml', 'toml']),
  /** Where in the document the servers are; `*` stands for every member. */
  keys: z.array(z.array(z.string()).min(1)).min(1),
  homeFiles: z.array(placePath).optional(),
  projectFiles: z.array(homePath).optional(),
});
export type McpConfigPlace = z.output<typeof mcpConfigPlace>;

export type CatalogEntry =
  | DesktopApp
  | CommandLineTool
  | EditorExtension
  | KnownMcpServer
  | LocalModelServer;
