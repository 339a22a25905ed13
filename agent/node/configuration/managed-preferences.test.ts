import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildBinary, type PlistValue } from 'plist';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type ManagedPreferences,
  readManagedPreferences,
  watchManagedPreferences,
} from './managed-preferences.ts';

const good = { api_url: 'https://control.example:8443', api_key: 'svc_sk_private' };
const full = {
  ...good,
  capture_enabled: true,
  intercept_hosts: ['claude.ai'],
  intercept_processes: [],
};

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'managed-'));
  path = join(dir, 'com.example.proxymonitor.plist');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const xml = (value: PlistValue): string => build(value);

test.each([
  ['XML', xml({ ...full, PayloadUUID: 'x', other: 1 })],
  ['XML with a byte order mark', `\ufeff${xml(full)}`],
  ['binary', buildBinary(full)],
])('%s is read', async (_, content) => {
  writeFileSync(path, content);
  expect(await readManagedPreferences(path)).toEqual({ config: full, problems: [] });
});

const bad: [string, () => void, string][] = [
  ['missing', () => {}, 'no such file yet'],
  ['a folder', () => mkdirSync(path), 'cannot be read: EISDIR'],
  ['a loop of links', () => symlinkSync(path, path), 'cannot be read: ELOOP'],
  ['empty', () => writeFileSync(path, ''), 'not a well-formed XML property list'],
  ['text', () => writeFileSync(path, 'svc_sk_private'), 'not a well-formed XML property list'],
  [
    'cut off',
    () => writeFileSync(path, xml(good).slice(0, 150)),
    'not a well-formed XML property list',
  ],
  [
    'cut off and binary',
    () => writeFileSync(path, buildBinary(good).subarray(0, 60)),
    'not a well-formed binary property list',
  ],
  ['a web page', () => writeFileSync(path, '<html></html>'), 'not a well-formed XML property list'],
  [
    'a single text',
    () => writeFileSync(path, xml('svc_sk_private')),
    'managed configuration: expected a dictionary, found a string',
  ],
  [
    'without a key',
    () => writeFileSync(path, xml({ api_url: good.api_url })),
    'api_key: expected a string that is not empty, found nothing',
  ],
  [
    'wrongly typed',
    () => writeFileSync(path, xml({ ...good, api_url: 8443 })),
    'api_url: expected an https URL, found a number',
  ],
  [
    'without TLS',
    () => writeFileSync(path, xml({ ...good, api_url: 'http://control.example' })),
    'api_url: expected an https URL, found another string',
  ],
  [
    'huge',
    () => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 30);
    },
    'larger than 1048576 bytes',
  ],
];

test.each(bad)(
  'a file that is %s results in one line that names it and contains no key',
  async (_, make, line) => {
    make();
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    const read = await readManagedPreferences(path);
    expect(read).toEqual({ error: `${path}: ${line}`, missing: line === 'no such file yet' });
    // The XML parser would print the content without the agent's precaution.
    expect(complain).not.toHaveBeenCalled();
    complain.mockRestore();
  },
);

test('a wrong type in a capture setting is a problem, and capture stays off', async () => {
  writeFileSync(path, xml({ ...full, intercept_hosts: 'claude.ai' }));
  expect(await readManagedPreferences(path)).toEqual({
    config: { ...full, capture_enabled: false, intercept_hosts: [] },
    problems: [`${path}: intercept_hosts: expected an array of strings, found a string`],
  });
});

test.each([
  ['notified by the system', 3_600_000],
  ['found by looking', 20],
])('changes are %s: creation, replacement, damage, repair, removal', async (_, pollMs) => {
  const heard: ManagedPreferences[] = [];
  const watcher = watchManagedPreferences(path, (read) => void heard.push(read), pollMs);
  const next = (expected: object): Promise<void> =>
    vi.waitFor(() => expect(heard.at(-1)).toMatchObject(expected));
  const replace = (content: string): void => {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  };
  await next({ missing: true });
  replace(xml(good));
  await next({ config: good });
  replace(xml({ ...good, api_key: 'svc_sk_other' }));
  await next({ config: { api_key: 'svc_sk_other' } });
  replace('<plist>');
  await next({ missing: false });
  replace(xml(good));
  await next({ config: good });
  rmSync(path);
  await next({ missing: true });
  await watcher.stop();
  expect(heard).toHaveLength(6);
});

test('the folder may be created later, and may be replaced', async () => {
  const heard: ManagedPreferences[] = [];
  const late = join(dir, 'Managed Preferences', 'x.plist');
  const watcher = watchManagedPreferences(late, (read) => void heard.push(read), 20);
  const next = (expected: object): Promise<void> =>
    vi.waitFor(() => expect(heard.at(-1)).toMatchObject(expected));
  await next({ missing: true });
  for (const api_key of ['one', 'two']) {
    const fresh = join(dir, 'fresh');
    mkdirSync(fresh);
    writeFileSync(join(fresh, 'x.plist'), xml({ ...good, api_key }));
    rmSync(join(dir, 'Managed Preferences'), { recursive: true, force: true });
    renameSync(fresh, join(dir, 'Managed Preferences'));
    await next({ config: { api_key } });
  }
  await watcher.stop();
});
