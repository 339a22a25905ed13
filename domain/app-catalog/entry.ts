import { z } from 'zod';
import { programKinds } from '#contract/inventory.ts';

/** The fields that every catalog entry has. */
export const base = {
  id: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1).max(200),
  vendor: z.string().min(1),
  /** The public page from which the ids, paths and package names are taken. */
  source: z.url({ protocol: /^https$/ }),
};

const texts = z.array(z.string().min(1)).min(1).optional();
const [desktopKind, cliKind, extensionKind, mcpKind, serverKind] = programKinds;

/** A path relative to a home folder. */
const homePath = z.string().regex(/^[^/{}~][^{}]*$/);
/**
 * Like `homePath`, optionally below the system's folder of settings (`{app-data}`) or data
 * (`{data}`).
 */
const placePath = z.string().regex(/^(\{app-data\}\/|\{data\}\/)?[^/{}~][^{}]*$/);
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
      /** Prefixes of the AppImage's file name. */
      appImages: texts,
      snaps: texts,
      /**
       * Folders that only this app writes. They confirm that an AppImage with its name is this app.
       */
      settings: z.array(homePath).optional(),
    })
    .optional(),
});
export type DesktopApp = z.output<typeof desktopApp>;

/**
 * A setting that disables a protection: the flag is set if the value at `key` is one of `values`.
 */
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
  /** Empty if an npm or PyPI package identifies the tool regardless of its program names. */
  binaries: z.array(z.string().regex(/^[\w.-]+$/)),
  npm: texts,
  /**
   * Base names of the npm packages with an executable for one system, which are called
   * `<name>-<system>-<processor>`. Default: the names in `npm`.
   */
  npmNative: texts,
  pypi: texts,
  /** Formulas or casks. */
  brew: texts,
  /** Casks whose name is also that of a formula for a different program. */
  casks: texts,
  cargo: texts,
  /** Path of the main package, as in the build information of a Go program. */
  go: texts,
  debs: texts,
  snaps: texts,
  /** Texts that together occur in no other executable. All of them must be present. */
  marks: z.array(z.string().min(8).max(100)).min(1).optional(),
  installDirs: z.array(installDir).optional(),
  /**
   * Files or folders, relative to a home folder, that the tool writes, possibly shared with other
   * tools of its vendor.
   */
  homes: z.array(homePath).optional(),
  /**
   * The names in `binaries` that no other program has. Only together with one of them do the files
   * in `homes` confirm the tool.
   */
  ownNames: texts,
  checks: z.array(settingCheck).optional(),
});
export type CommandLineTool = z.output<typeof commandLineTool>;

export const editorExtension = z.strictObject({
  ...base,
  kind: z.literal(extensionKind),
  /** `publisher.name`, lower case. */
  vscode: z.array(z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/)).optional(),
  jetbrains: z.array(z.string().regex(/^[\w.-]+$/)).optional(),
  /** GitHub repositories of Vim and Neovim plugins, lower case. */
  neovim: z.array(z.string().regex(/^[a-z0-9-]+\/[a-z0-9._-]+$/)).optional(),
  /** Ids in `extension.toml`. */
  zed: z.array(z.string().regex(/^[a-z0-9-]+$/)).optional(),
});
export type EditorExtension = z.output<typeof editorExtension>;

export const knownMcpServer = z.strictObject({
  ...base,
  kind: z.literal(mcpKind),
  /** Names of npm packages, PyPI packages or container images, without version. */
  packages: texts,
  hosts: z.array(z.hostname()).optional(),
  can: z.array(z.enum(['run-commands', 'write-files'])).optional(),
});
export type KnownMcpServer = z.output<typeof knownMcpServer>;

export const localModelServer = z.strictObject({
  ...base,
  kind: z.literal(serverKind),
  ports: z.array(z.int().min(1).max(65535)).min(1),
  /** Names that no other program has. One of them and a usual port identify the server. */
  executables: texts,
  /** Names that other programs have too. They count only in one of `parts` or with `serves`. */
  commonNames: texts,
  /** Exact executable paths. */
  paths: z.array(z.string().startsWith('/')).optional(),
  /** Parts of a path that confirm an executable of the right name. */
  parts: z.array(z.string().regex(/^\/.*\/$/)).optional(),
  /** Interpreted servers: the module or script that the interpreter runs. */
  scripts: texts,
  /** Parts of the path of a script with a generic name such as `main.py`. */
  scriptParts: z.array(z.string().regex(/^\/.+\.\w+$/)).optional(),
  /** npm packages or Python distributions that contain such a script. */
  packages: texts,
  /** Subcommands that start a server, as in `vllm serve`. */
  serves: texts,
});
export type LocalModelServer = z.output<typeof localModelServer>;

export const mcpConfigPlace = z.strictObject({
  /** The program that reads the file. */
  client: z.string().min(1),
  /** `markdown` stands for the YAML in front of a text. */
  format: z.enum(['json', 'yaml', 'toml', 'xml', 'markdown']),
  source: z.url({ protocol: /^https$/ }),
  /**
   * Paths to the servers within the document. `*` matches every member; an empty path is the
   * document.
   */
  keys: z.array(z.array(z.string())).min(1),
  /** The document describes one server, named by the member `name`. */
  single: z.literal(true).optional(),
  homeFiles: z.array(placePath).optional(),
  /** Relative to the project. A star in the first name may only be at its start. */
  projectFiles: z.array(homePath.regex(/^\*?[^*/]+(\/|$)/)).optional(),
  /**
   * The files are shared by several clients. A place that names the same file without this flag
   * wins.
   */
  anyClient: z.literal(true).optional(),
  /** Files for all users of the machine, written by an administrator. */
  systemFiles: z
    .strictObject({
      darwin: z.array(z.string().startsWith('/')).optional(),
      linux: z.array(z.string().startsWith('/')).optional(),
    })
    .optional(),
});
export type McpConfigPlace = z.output<typeof mcpConfigPlace>;

export type CatalogEntry =
  | DesktopApp
  | CommandLineTool
  | EditorExtension
  | KnownMcpServer
  | LocalModelServer;

/** Addresses of public pages that list packages and ids. */
export const cask = (token: string): string => `https://formulae.brew.sh/cask/${token}`;
export const formula = (name: string): string => `https://formulae.brew.sh/formula/${name}`;
export const npm = (name: string): string => `https://www.npmjs.com/package/${name}`;
export const pypi = (name: string): string => `https://pypi.org/project/${name}/`;
export const crate = (name: string): string => `https://docs.rs/crate/${name}`;
export const github = (repository: string): string => `https://github.com/${repository}`;
export const marketplace = (id: string): string =>
  `https://marketplace.visualstudio.com/items?itemName=${id}`;

type Signals = Omit<CommandLineTool, 'id' | 'name' | 'vendor' | 'kind'>;

export const tool = (
  id: string,
  name: string,
  vendor: string,
  signals: Signals,
): CommandLineTool => ({ id, name, vendor, kind: 'cli', ...signals });

const usual = [['mcpServers']];

type Files = Pick<
  McpConfigPlace,
  'homeFiles' | 'projectFiles' | 'systemFiles' | 'single' | 'anyClient'
>;

const place =
  (format: McpConfigPlace['format']) =>
  (client: string, source: string, files: Files, keys: string[][] = usual): McpConfigPlace => ({
    client,
    source,
    format,
    keys,
    ...files,
  });
export const json = place('json');
export const toml = place('toml');
export const yaml = place('yaml');
export const xml = place('xml');
export const markdown = place('markdown');
