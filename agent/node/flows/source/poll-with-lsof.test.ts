import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollWithLsof } from './poll-with-lsof.ts';
import { createServerPorts } from './server-ports.ts';

const visitor = { update: () => true, add: () => undefined };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lsof-'));
  vi.stubEnv('PATH', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('an lsof that does not end is killed, and the poll is incomplete', async () => {
  writeFileSync(join(folder, 'lsof'), '#!/bin/sh\nexec /bin/sleep 1000\n', { mode: 0o755 });
  expect(await pollWithLsof(visitor, createServerPorts(), 1)).toEqual({
    complete: false,
    error: 'network flows are not observed: lsof cannot be run',
  });
});
