import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkpointsInThread } from './sqlite-checkpoints.ts';

test('a copy failure is reported once, not with every commit', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const file = join(dir, 'no.db');
  writeFileSync(file, 'this is no database'.repeat(1000));
  writeFileSync(`${file}-wal`, Buffer.alloc(5_000_000));
  const problems: string[] = [];
  const checkpoints = checkpointsInThread(file, (message) => problems.push(message));
  checkpoints.committed();
  await expect.poll(() => problems.length).toBe(1);
  checkpoints.committed();
  await pause(600);
  await checkpoints.close();
  rmSync(dir, { recursive: true });
  expect(problems).toEqual(['checkpointing stopped: file is not a database']);
});
