import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from './lock.ts';
import { platform } from '../platform.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (holder: unknown): void =>
  writeFileSync(
    join(dir, 'agent.lock'),
    typeof holder === 'string' ? holder : JSON.stringify(holder),
  );

test('a lock is held until it is released', async () => {
  const taken = await acquireLock(dir);
  expect(await acquireLock(dir)).toEqual({
    error: `another agent (pid ${process.pid}) uses ${dir}`,
  });
  if ('lock' in taken) taken.lock.release();
  expect(await acquireLock(dir)).toHaveProperty('lock');
  expect(readdirSync(dir)).toEqual(['agent.lock']);
});

test('a running process keeps the lock, and once it is killed the lock is taken over', async () => {
  const child = spawn('/bin/sleep', ['60']);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  write({ pid, started: await platform.readProcessStart(pid) });
  expect(await acquireLock(dir)).toEqual({ error: `another agent (pid ${pid}) uses ${dir}` });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await acquireLock(dir)).toHaveProperty('lock');
  expect(JSON.parse(readFileSync(join(dir, 'agent.lock'), 'utf8'))).toMatchObject({
    pid: process.pid,
  });
});

test.each([
  ['a later process with the same pid', { pid: process.pid, started: 'long ago' }],
  ['no process', { pid: 2 ** 30, started: '1' }],
  ['garbage', 'x'],
  ['nothing', ''],
])('a lock held by %s is taken over', async (_, holder) => {
  write(holder);
  expect(await acquireLock(dir)).toHaveProperty('lock');
  expect(readdirSync(dir)).toEqual(['agent.lock']);
});

test('one of many processes that find a stale lock at the same time gets it', async () => {
  write({ pid: 2 ** 30, started: '1' });
  const taken = await Promise.all(Array.from({ length: 20 }, () => acquireLock(dir)));
  expect(taken.filter((one) => 'lock' in one)).toHaveLength(1);
});

test('a lock that another process has taken over is not released', async () => {
  const taken = await acquireLock(dir);
  const other = JSON.stringify({ pid: process.pid + 1, started: null });
  write(other);
  if ('lock' in taken) taken.lock.release();
  expect(readFileSync(join(dir, 'agent.lock'), 'utf8')).toBe(other);
});
