import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  mayBeInProgress,
  readSettingsFile,
  removeSettingsFile,
  replaceSettingsFile,
} from './settings-file.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-settings-file-'));
  path = join(dir, 'settings.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const isRoot = process.geteuid?.() === 0;

test('a new file is readable by all users', () => {
  const umask = process.umask(0o077);
  replaceSettingsFile(readSettingsFile(path), 'new');
  process.umask(umask);
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readdirSync(dir)).toEqual(['settings.json']);
});

test('a replaced file keeps its mode', () => {
  writeFileSync(path, 'old');
  chmodSync(path, 0o640);
  replaceSettingsFile(readSettingsFile(path), 'new');
  expect(statSync(path).mode & 0o7777).toBe(0o640);
});

test.runIf(isRoot)('a replaced file keeps its owner and group', () => {
  writeFileSync(path, 'old');
  chownSync(path, 1234, 2345);
  replaceSettingsFile(readSettingsFile(path), 'new');
  expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345 });
});

describe('a link', () => {
  const target = () => join(dir, 'managed/company.json');
  beforeEach(() => {
    mkdirSync(join(dir, 'managed'));
    symlinkSync('managed/company.json', path);
  });

  test('to a file remains a link to the replaced file', () => {
    writeFileSync(target(), 'old');
    replaceSettingsFile(readSettingsFile(path), 'new');
    expect(readlinkSync(path)).toBe('managed/company.json');
    expect(readFileSync(target(), 'utf8')).toBe('new');
  });

  test('is removed with its file', () => {
    writeFileSync(target(), 'old');
    removeSettingsFile(readSettingsFile(path));
    expect(existsSync(target())).toBe(false);
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('to a missing file is an error', () => {
    expect(() => readSettingsFile(path)).toThrow('is a link to a file that does not exist');
  });

  test.runIf(isRoot)('into a folder of another user is an error', () => {
    writeFileSync(target(), 'old');
    chownSync(join(dir, 'managed'), 1234, 1234);
    expect(() => replaceSettingsFile(readSettingsFile(path), 'new')).toThrow(
      'is a link into a folder of another user',
    );
    expect(readFileSync(target(), 'utf8')).toBe('old');
  });
});

test('a folder in place of a file is an error', () => {
  mkdirSync(path);
  expect(() => readSettingsFile(path)).toThrow('is not a regular file');
});

describe('a change by another program after the file was read', () => {
  const changes: [string, () => void][] = [
    ['a text written in place', () => writeFileSync(path, 'of others')],
    [
      'a text of the same size',
      () => {
        writeFileSync(path, 'OLD');
        utimesSync(path, 1, 1);
      },
    ],
    [
      'another file',
      () => {
        rmSync(path);
        writeFileSync(path, 'of others');
      },
    ],
    ['its removal', () => rmSync(path)],
  ];
  test.each(changes)('%s is not overwritten', (_, change) => {
    writeFileSync(path, 'old');
    const read = readSettingsFile(path);
    change();
    const after = existsSync(path) ? readFileSync(path, 'utf8') : null;
    expect(() => replaceSettingsFile(read, 'new')).toThrow('was changed while');
    expect(() => removeSettingsFile(read)).toThrow('was changed while');
    expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(after);
    expect(readdirSync(dir)).toEqual(after === null ? [] : ['settings.json']);
  });

  test('a new file is not overwritten', () => {
    const read = readSettingsFile(path);
    writeFileSync(path, 'of others');
    expect(() => replaceSettingsFile(read, 'new')).toThrow('was changed while');
    expect(readFileSync(path, 'utf8')).toBe('of others');
  });
});

test.each([
  ['now', 0, true],
  ['within the time', 999, true],
  ['before it', 1000, false],
  ['in the same millisecond', -0.5, true],
  ['in the future, by a clock that was set back', -3_600_000, false],
])('a file that was changed %s may be in progress: %s ms, %s', (_, age, expected) => {
  writeFileSync(path, '');
  utimesSync(path, 1_000, 1_000);
  expect(mayBeInProgress(readSettingsFile(path), 1000, 1_000_000 + age)).toBe(expected);
});

test('a missing file is not in progress', () => {
  expect(mayBeInProgress(readSettingsFile(path), 1000, Date.now())).toBe(false);
});
