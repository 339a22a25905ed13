import { expect, test } from 'vitest';
import { appKinds } from '#contract/fleet.ts';
import { appCatalog } from './catalog.ts';
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

test('every place of MCP configurations is valid', () => {
  expect(mcpConfigPlaces.filter((place) => !mcpConfigPlace.safeParse(place).success)).toEqual([]);
});

test('the catalog knows all kinds, and well over sixty apps', () => {
  expect(new Set(appCatalog.map((entry) => entry.kind))).toEqual(new Set(appKinds));
  expect(appCatalog.length).toBeGreaterThan(100);
});

test('no id, and nothing that identifies an app, stands for two entries', () => {
  expect({
    ids: repeated(appCatalog.map((entry) => entry.id)),
    bundles: repeated(desktopApps.flatMap((entry) => entry.darwin?.bundleIds ?? [])),
    desktopIds: repeated(desktopApps.flatMap((entry) => entry.linux?.desktopIds ?? [])),
    vscode: repeated(editorExtensions.flatMap((entry) => entry.vscode ?? [])),
    jetbrains: repeated(editorExtensions.flatMap((entry) => entry.jetbrains ?? [])),
    packages: repeated(knownMcpServers.flatMap((entry) => entry.packages ?? [])),
    hosts: repeated(knownMcpServers.flatMap((entry) => entry.hosts ?? [])),
  }).toEqual({
    ids: [],
    bundles: [],
    desktopIds: [],
    vscode: [],
    jetbrains: [],
    packages: [],
    hosts: [],
  });
});

test('every entry has at least one way to be found', () => {
  const lost = appCatalog.filter((entry) => {
    switch (entry.kind) {
      case 'desktop_app':
        return !entry.darwin && !entry.linux;
      case 'cli':
        return !entry.npm && !entry.pypi && !entry.brew && !entry.installDirs && !entry.homes;
      case 'editor_extension':
        return !entry.vscode && !entry.jetbrains;
      case 'mcp_server':
        return !entry.packages && !entry.hosts;
      case 'local_model_server':
        return !entry.executables && !entry.scripts;
    }
  });
  expect(lost.map((entry) => entry.id)).toEqual([]);
});

test('a confirming part of a path never stands for a server without a name', () => {
  expect(localModelServers.filter((entry) => entry.parts && !entry.executables)).toEqual([]);
});
