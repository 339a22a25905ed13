import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InventoryMessage, ScanRequest } from '#agent/node/inventory/inventory-worker.ts';
import { buildAgent } from './agent-bundle.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-bundle-'));
  await buildAgent(join(folder, 'agent'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(['headless', 'report-worker', 'check-worker', 'inventory-worker'])(
  'the bundle has the program %s',
  (name) => {
    expect(existsSync(join(folder, `agent/${name}.js`))).toBe(true);
  },
);

test('the inventory thread scans with only the files of the bundle', async () => {
  const worker = new Worker(join(folder, 'agent/inventory-worker.js'), {
    workerData: { root: folder },
  });
  const request: ScanRequest = { excluded: [] };
  const answer = new Promise<InventoryMessage>((resolve) => {
    worker.on('message', (message: InventoryMessage) => {
      if (!('homes' in message)) resolve(message);
    });
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request);
  const found = await answer;
  await worker.terminate();
  expect(found).toMatchObject({ inventory: { apps: [], problems: [], notRead: [] } });
});
