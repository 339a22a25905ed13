import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingFiles } from './recording-files.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { openLedger } from './ledger.ts';
import { createSettingsWriter } from './settings-writer.ts';

const files = recordingFiles('linux');
const CODEX = '/etc/codex/managed_config.toml';
const recording: Recording = {
  level: 'tools',
  endpoint: 'https://g.example/otel',
  key: 'svc_sd_1',
  relay: 'http://127.0.0.1:9878/gatehouse-agent',
  socket: '/run/agent/tools.sock',
};
const nothing = { problems: [], restored: [] };

let dir: string;
let root: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'));
  root = join(dir, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const start = (options: { settleMs?: number; now?: () => number } = {}) =>
  createSettingsWriter({
    ...options,
    files,
    ledger: openLedger(join(dir, 'ledger')),
    consequence: 'is not recorded',
    root,
  });
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

test('every file is written, readable by all and writable by its owner, and listed', () => {
  // The umask of the service in a package.
  const umask = process.umask(0o077);
  expect(start().apply(recording)).toEqual(nothing);
  process.umask(umask);
  for (const { path } of files) {
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o644);
    expect(statSync(dirname(join(root, path))).mode & 0o777).toBe(0o755);
  }
  const listed = openLedger(join(dir, 'ledger')).read().files;
  expect(listed.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
});

test('nothing is left, not even a folder, after another process undid the settings', () => {
  start().apply(recording);
  start().apply({ ...recording, key: 'svc_sd_2' });
  expect(start().apply(null)).toEqual(nothing);
  expect(readdirSync(join(root, 'etc'))).toEqual([]);
  expect(existsSync(join(dir, 'ledger'))).toBe(false);
});

test('the original content is restored byte for byte', () => {
  const before = 'model = "a"';
  put(CODEX, before);
  const writer = start();
  writer.apply(recording);
  expect(textOf(CODEX)).toContain('svc_sd_1');
  writer.apply(null);
  expect(textOf(CODEX)).toBe(before);
});

describe('changes by other programs and users', () => {
  test.each(files.map(({ path }) => path))('removing %s is undone and reported', (path) => {
    const writer = start();
    writer.apply(recording);
    const before = textOf(path);
    rmSync(dirname(join(root, path)), { recursive: true });
    expect(writer.apply(recording).restored).toContain(
      `${path}: was changed by another program and has been restored`,
    );
    expect(textOf(path)).toBe(before);
    expect(writer.apply(recording)).toEqual(nothing);
  });

  test("a change of the agent's lines is undone, also by the next process", () => {
    start().apply(recording);
    const before = textOf(CODEX);
    put(CODEX, before.replace('log_user_prompt = true', 'log_user_prompt = false'));
    expect(start().apply(recording).restored).toHaveLength(1);
    expect(textOf(CODEX)).toBe(before);
  });

  test("lines of others are kept: nothing is undone, and they outlive the agent's", () => {
    const writer = start();
    writer.apply(recording);
    put(CODEX, `model = "b"\n${textOf(CODEX)}`);
    expect(writer.apply(recording)).toEqual(nothing);
    expect(writer.apply({ ...recording, key: 'svc_sd_2' })).toEqual(nothing);
    writer.apply(null);
    expect(textOf(CODEX)).toBe('model = "b"\n');
  });

  test("others' settings for the same purpose are kept, and the other tools are recorded", () => {
    put(CODEX, '[otel]\n');
    const { problems } = start().apply(recording);
    expect(problems).toEqual([`${CODEX}: already has a table [otel]: Codex is not recorded`]);
    expect(textOf(CODEX)).toBe('[otel]\n');
    expect(textOf('/etc/claude-code/gatehouse-otel-headers.json')).toContain('svc_sd_1');
  });
});

test('a file that another program is writing is left until it is complete', () => {
  let time = Date.now();
  const writer = start({ settleMs: 1000, now: () => time });
  const company = 'model = "b"\n';
  const putNow = (text: string): void => {
    put(CODEX, text);
    utimesSync(join(root, CODEX), time / 1000, time / 1000);
  };
  writer.apply(recording);
  // A program that writes the file has emptied it.
  putNow('');
  expect(writer.apply(recording)).toEqual(nothing);
  expect(writer.apply(null)).toEqual(nothing);
  expect(textOf(CODEX)).toBe('');
  putNow(company);
  time += 1000;
  writer.apply(recording);
  expect(textOf(CODEX)).toContain(company);
  expect(textOf(CODEX)).toContain('svc_sd_1');
  // The agent does not wait for its own text to settle.
  utimesSync(join(root, CODEX), time / 1000, time / 1000);
  writer.apply({ ...recording, key: 'svc_sd_2' });
  expect(textOf(CODEX)).toContain('svc_sd_2');
  writer.apply(null);
  expect(textOf(CODEX)).toBe(company);
});

test('tools with settings from another place have no files, and lose those that were written', () => {
  const writer = start();
  writer.apply(recording);
  expect(writer.apply(recording, new Set(['Claude Code']))).toEqual(nothing);
  const folders = () => readdirSync(join(root, 'etc')).toSorted();
  expect(folders()).toEqual([
    'codex',
    'cursor',
    'gemini-cli',
    'github-copilot',
    'goose',
    'opencode',
    'qwen-code',
  ]);
  const { files: listed } = openLedger(join(dir, 'ledger')).read();
  expect(listed.map(({ tool }) => tool)).not.toContain('Claude Code');
  expect(writer.apply(recording)).toEqual(nothing);
  expect(folders()).toContain('claude-code');
});

test('a folder that cannot be written to is a problem, and its files are not listed', () => {
  // Root may write everywhere, but a file in place of the folder also stops root.
  writeFileSync(join(root, 'etc/codex'), '');
  chmodSync(join(root, 'etc/codex'), 0o400);
  const { problems } = start().apply(recording);
  expect(problems).toEqual([expect.stringMatching(/^\/etc\/codex\/managed_config\.toml: /)]);
  const { files: listed } = openLedger(join(dir, 'ledger')).read();
  expect(listed.map(({ path }) => path)).not.toContain(CODEX);
});

test('nothing is left behind either if the ledger was lost', () => {
  put(CODEX, 'model = "a"\n');
  start().apply(recording);
  rmSync(join(dir, 'ledger'));
  start().apply(recording);
  start().apply(null);
  expect(readdirSync(join(root, 'etc'), { recursive: true }).map(String).toSorted()).toEqual([
    'claude-code',
    'claude-code/managed-settings.d',
    'codex',
    'codex/managed_config.toml',
    'cursor',
    'gemini-cli',
    'github-copilot',
    'goose',
    'opencode',
    'qwen-code',
  ]);
  expect(textOf(CODEX)).toBe('model = "a"\n');
});
