import { expect, test } from 'vitest';
import { agentFiles, loadedCatalog } from './loaded-catalog.ts';
import { browserExtensions } from './browser-extensions.ts';
import { hookPlaces } from './hooks.ts';
import {
  agentFile,
  browserExtension,
  builtInFeature,
  hookPlace,
  modelStore,
  pluginPlace,
  type LoadedEntry,
} from './loaded-entry.ts';
import { loadingTools } from './loading-tools.ts';
import { pluginPlaces } from './plugins.ts';

const schemas = {
  instruction_file: agentFile,
  skill: agentFile,
  sub_agent: agentFile,
  hook: hookPlace,
  plugin: pluginPlace,
  browser_extension: browserExtension,
  built_in_feature: builtInFeature,
  local_model: modelStore,
};

const repeated = (values: readonly string[]) =>
  values.filter((value, i) => values.indexOf(value) !== i);

test.each(loadedCatalog.map((entry): [string, LoadedEntry] => [entry.id, entry]))(
  '%s is a valid entry',
  (_, entry) => expect(schemas[entry.kind].safeParse(entry).error).toBeUndefined(),
);

test('ids of entries and of browser extensions are unique', () => {
  expect(repeated(loadedCatalog.map((entry) => entry.id))).toEqual([]);
  const ids = browserExtensions.flatMap(({ chromium = [], firefox = [] }) => [
    ...chromium,
    ...firefox,
  ]);
  expect(repeated(ids)).toEqual([]);
  expect(browserExtensions.length).toBeGreaterThan(60);
});

test('every tool that an entry refers to has a name and a vendor', () => {
  const tools = [...agentFiles, ...hookPlaces, ...pluginPlaces].map(({ tool }) => tool);
  expect(tools.filter((tool) => tool !== null && !(tool in loadingTools))).toEqual([]);
});

test('the first part of a project path has no wildcard', () => {
  const projects = [...agentFiles, ...hookPlaces, ...pluginPlaces].flatMap(
    (entry) => entry.project ?? [],
  );
  expect(projects.filter((file) => file.split('/')[0]?.includes('*'))).toEqual([]);
});
