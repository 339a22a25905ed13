import { expect, test } from 'vitest';
import { programKinds } from '#contract/inventory.ts';
import { appCatalog } from './catalog.ts';
import { commandLineTools } from './command-line-tools.ts';
import { desktopApps } from './desktop-apps.ts';
import { editorExtensions } from './editor-extensions.ts';
import {
  commandLineTool,
  desktopApp,
  editorExtension,
  knownMcpServer,
  localModelServer,
  mcpConfigPlace,
  type CatalogEntry,
  type LocalModelServer,
} from './entry.ts';
import { knownMcpServers } from './known-mcp-servers.ts';
import { localModelServers } from './local-model-servers.ts';
import { mcpConfigPlaces } from './mcp-config-places.ts';

const schemas = {
  desktop_app: desktopApp,
  cli: commandLineTool,
  editor_extension: editorExtension,
  mcp_server: knownMcpServer,
  local_model_server: localModelServer,
};

const repeated = (values: readonly string[]) =>
  values.filter((value, i) => values.indexOf(value) !== i);

test.each(appCatalog.map((entry): [string, CatalogEntry] => [entry.id, entry]))(
  '%s is a valid entry',
  (_, entry) => {
    expect(schemas[entry.kind].safeParse(entry).error).toBeUndefined();
  },
);

test('every MCP configuration place is valid', () => {
  expect(mcpConfigPlaces.filter((place) => !mcpConfigPlace.safeParse(place).success)).toEqual([]);
});

test.each([
  ['desktop_app', 260],
  ['cli', 540],
  ['editor_extension', 125],
  ['mcp_server', 570],
  ['local_model_server', 45],
])('the catalog has enough entries of the kind %s', (kind, least) => {
  expect(appCatalog.filter((entry) => entry.kind === kind).length).toBeGreaterThanOrEqual(least);
});

test('the catalog has at least 1650 entries of all kinds', () => {
  expect(new Set(appCatalog.map((entry) => entry.kind))).toEqual(new Set(programKinds));
  expect(appCatalog.length).toBeGreaterThanOrEqual(1650);
});

test('a tool’s own names are among its binaries and among no other tool’s', () => {
  const own = commandLineTools.flatMap((entry) => entry.ownNames ?? []);
  const foreign = commandLineTools.filter(
    ({ binaries, ownNames = [] }) => !ownNames.every((name) => binaries.includes(name)),
  );
  const shared = own.filter(
    (name) => commandLineTools.filter(({ binaries }) => binaries.includes(name)).length > 1,
  );
  expect({ foreign: foreign.map(({ id }) => id), repeated: repeated(own), shared }).toEqual({
    foreign: [],
    repeated: [],
    shared: [],
  });
});

test('a tool without binaries has a package', () => {
  const lost = commandLineTools.filter(
    ({ binaries, npm, pypi }) => binaries.length === 0 && !npm && !pypi,
  );
  expect(lost.map(({ id }) => id)).toEqual([]);
});

test('a tool with own names has a folder that confirms it', () => {
  const bare = commandLineTools.filter(({ ownNames, homes }) => ownNames && !homes);
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('no install folder is shared by unrelated programs', () => {
  const shared =
    /^(~\/(\.local|\.config|bin)\/|~\/\.local\/(bin|share)\/|\/(usr|opt)\/|\/usr\/(local\/)?bin\/)$/;
  const dirs = commandLineTools.flatMap((entry) => entry.installDirs ?? []);
  expect(dirs.filter((dir) => shared.test(dir))).toEqual([]);
});

test('ids, and values that identify an app, are unique', () => {
  expect({
    ids: repeated(appCatalog.map((entry) => entry.id)),
    bundles: repeated(desktopApps.flatMap((entry) => entry.darwin?.bundleIds ?? [])),
    desktopIds: repeated(desktopApps.flatMap((entry) => entry.linux?.desktopIds ?? [])),
    vscode: repeated(editorExtensions.flatMap((entry) => entry.vscode ?? [])),
    jetbrains: repeated(editorExtensions.flatMap((entry) => entry.jetbrains ?? [])),
    neovim: repeated(editorExtensions.flatMap((entry) => entry.neovim ?? [])),
    zed: repeated(editorExtensions.flatMap((entry) => entry.zed ?? [])),
    npm: repeated(commandLineTools.flatMap((entry) => entry.npm ?? [])),
    pypi: repeated(commandLineTools.flatMap((entry) => entry.pypi ?? [])),
    brew: repeated(commandLineTools.flatMap((entry) => entry.brew ?? [])),
    casks: repeated(
      commandLineTools.flatMap((entry) => [...(entry.brew ?? []), ...(entry.casks ?? [])]),
    ),
    go: repeated(commandLineTools.flatMap((entry) => entry.go ?? [])),
    packages: repeated(knownMcpServers.flatMap((entry) => entry.packages ?? [])),
    hosts: repeated(knownMcpServers.flatMap((entry) => entry.hosts ?? [])),
  }).toEqual({
    ids: [],
    bundles: [],
    desktopIds: [],
    vscode: [],
    jetbrains: [],
    neovim: [],
    zed: [],
    npm: [],
    pypi: [],
    brew: [],
    casks: [],
    go: [],
    packages: [],
    hosts: [],
  });
});

/** The fields by which entries of each kind are found. An entry has at least one of them. */
const ways: Record<CatalogEntry['kind'], readonly string[]> = {
  desktop_app: ['darwin', 'linux'],
  cli: ['npm', 'pypi', 'brew', 'casks', 'go', 'cargo', 'debs', 'marks', 'ownNames', 'installDirs'],
  editor_extension: ['vscode', 'jetbrains', 'neovim', 'zed'],
  mcp_server: ['packages', 'hosts'],
  local_model_server: ['executables', 'commonNames', 'scripts', 'scriptParts'],
};

test('every entry has at least one way to be found', () => {
  const lost = appCatalog.filter((entry) => !ways[entry.kind].some((field) => field in entry));
  expect(lost.map((entry) => entry.id)).toEqual([]);
});

test('path parts are only used with names, and common names always have path parts', () => {
  const named = (entry: LocalModelServer) => entry.executables ?? entry.commonNames;
  expect(localModelServers.filter((entry) => entry.parts && !named(entry))).toEqual([]);
  expect(localModelServers.filter((entry) => entry.commonNames && !entry.parts)).toEqual([]);
});
