import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { removeBusyFolder } from './remove-busy-folder.ts';

/** Creates files in a folder until the folder is gone. */
const WRITER = `
const { writeFileSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
for (let n = 0; ; n += 1) {
  try {
    writeFileSync(workerData + '/' + n, '');
  } catch (error) {
    if (error.code === 'ENOENT') break;
    throw error;
  }
  if (n === 100) parentPort.postMessage('writing');
}`;

test('removes a folder while another thread creates files in it', async () => {
  const above = mkdtempSync(join(tmpdir(), 'busy-'));
  for (let round = 0; round < 10; round += 1) {
    const folder = mkdtempSync(join(above, 'folder-'));
    const writer = new Worker(WRITER, { eval: true, workerData: folder });
    const ended = once(writer, 'exit');
    await once(writer, 'message');
    removeBusyFolder(folder);
    expect(await ended).toEqual([0]);
    expect([existsSync(folder), readdirSync(above)]).toEqual([false, []]);
  }
  rmSync(above, { recursive: true });
});
