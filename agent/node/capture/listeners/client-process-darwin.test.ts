import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDarwinClients } from './client-process-darwin.ts';
import type { ClientFinder } from './client-process.ts';
import { unknownClient } from './capture-listener.ts';

const ends = {
  client: { address: '127.0.0.1', port: 50_000 },
  server: { address: '127.0.0.1', port: 443 },
};
const MAX_CONCURRENT = 4;

let folder: string;
let failures: string[];
let finder: ClientFinder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lsof-'));
  failures = [];
  vi.stubEnv('PATH', folder);
  vi.spyOn(process, 'geteuid').mockReturnValue(0);
});

afterEach(() => {
  finder.close();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const pid of startedPids()) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Installs an lsof that runs these commands of a shell. */
function install(commands: string): void {
  const script = `#!/bin/sh\necho $$ >>${folder}/started\n${commands}\n`;
  writeFileSync(join(folder, 'lsof'), script, { mode: 0o755 });
}

const HANGING = 'exec /bin/sleep 1000';

function open(deadlineMs?: number): void {
  finder = openDarwinClients({
    onFailure: (line) => failures.push(line),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
}

function startedPids(): number[] {
  try {
    return readFileSync(join(folder, 'started'), 'utf8').trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const line = (cause: string): string =>
  `the search for the process of a connection failed: ${cause}`;

test('an lsof that exceeds its time limit is killed', async () => {
  install(HANGING);
  open();
  expect(await finder.find(ends)).toEqual(unknownClient);
  expect(failures).toEqual([line('lsof takes longer than 250 ms')]);
  await expect.poll(() => startedPids().filter(isRunning)).toEqual([]);
});

test('only a few run at once, and the others wait for them', async () => {
  install(HANGING);
  open(60_000);
  const found = Promise.all(Array.from({ length: 20 }, () => finder.find(ends)));
  await expect.poll(startedPids).toHaveLength(MAX_CONCURRENT);
  // Each killed one makes room for one more.
  for (const pid of startedPids()) process.kill(pid, 'SIGKILL');
  await expect.poll(startedPids).toHaveLength(2 * MAX_CONCURRENT);
  finder.close();
  expect(await found).toEqual(Array.from({ length: 20 }, () => unknownClient));
  await expect.poll(() => startedPids().filter(isRunning)).toEqual([]);
  expect(startedPids()).toHaveLength(2 * MAX_CONCURRENT);
});

test.each([
  ['is not installed', null, ['lsof is not installed']],
  [
    'fails',
    'echo "lsof: can\'t open kernel memory" >&2; exit 1',
    ["lsof: can't open kernel memory"],
  ],
  ['ends with another status', 'exit 3', ['lsof failed (3)']],
  ['finds no such socket', 'exit 1', []],
])('the cause is reported if lsof %s', async (_, commands, causes) => {
  if (commands !== null) install(commands);
  open(60_000);
  expect(await finder.find(ends)).toEqual(unknownClient);
  expect(failures).toEqual(causes.map(line));
});

test('many failed searches leave no slot occupied', async () => {
  open(60_000);
  for (let i = 0; i < 3 * MAX_CONCURRENT; i += 1) await finder.find(ends);
  expect(new Set(failures)).toEqual(new Set([line('lsof is not installed')]));
});
