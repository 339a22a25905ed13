import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, type Log } from '../log.ts';
import { createManagedSource, type ManagedChange, type ManagedSource } from './managed-source.ts';
import { createProblems, type Problems } from '../status/problems.ts';
import type { PreferencesWatcher } from './managed-preferences.ts';

let dir: string;
let path: string;
let lines: string[];
let log: Log;
let problems: Problems;
let source: ManagedSource;
let changes: ManagedChange[];
let watcher: PreferencesWatcher;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-managed-'));
  path = join(dir, 'managed.plist');
  lines = [];
  log = createLog({ level: 'info', write: (line) => lines.push(line) });
  problems = createProblems(log);
  source = createManagedSource(path, { log, problems, pollMs: 20 });
  changes = [];
  manage(build({ api_url: 'https://one.example', api_key: 'svc_sk_first' }));
  watcher = source.start((change) => changes.push(change));
});
afterEach(async () => {
  await watcher.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Replaces the whole file. */
function manage(content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
const until = (check: () => void): Promise<void> => vi.waitFor(check);
const url = (): string | undefined => source.current()?.config.api_url;

test('keys never reach the log, neither the first nor later ones', async () => {
  await until(() => expect(url()).toBe('https://one.example'));
  manage(build({ api_url: 'https://one.example', api_key: 'svc_sk_second' }));
  await until(() => expect(source.current()?.config.api_key).toBe('svc_sk_second'));
  log.info('with svc_sk_first, then svc_sk_second');
  expect(lines.join('')).not.toMatch(/svc_sk_(first|second)/);
});

test('reports whether the address has changed, or only the limits', async () => {
  await until(() => expect(changes).toEqual(['address']));
  const address = { api_url: 'https://one.example', api_key: 'svc_sk_first' };
  manage(build({ ...address, intercept_hosts: ['claude.ai'] }));
  await until(() => expect(changes).toEqual(['address', 'limits']));
  manage(build({ ...address, api_key: 'svc_sk_second' }));
  await until(() => expect(changes).toEqual(['address', 'limits', 'address']));
});

test('an invalid file leaves the previous configuration in use; a removed one does not', async () => {
  await until(() => expect(url()).toBe('https://one.example'));
  manage('no property list');
  await until(() => expect(problems.list()).toHaveLength(1));
  expect([url(), changes]).toEqual(['https://one.example', ['address']]);
  rmSync(path);
  await until(() => expect(source.current()).toBeNull());
  expect(changes).toEqual(['address', 'address']);
});
