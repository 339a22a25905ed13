/** Measures cold start, memory at rest, and memory during heavy recording. Linux only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runLoad } from './support/load.ts';
import { requestsFor } from './support/measure.ts';
import { residentMb, startControlPlane } from './support/processes.ts';
import { writeSection } from './support/report.ts';

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
await (await startControlPlane({ DATA_DIR: dir })).stop();
const starts: number[] = [];
for (let i = 0; i < 7; i += 1) {
  const server = await startControlPlane({ DATA_DIR: dir });
  starts.push(server.startMs);
  await server.stop();
}
const server = await startControlPlane({ DATA_DIR: dir });
await pause(5000);
const atRest = residentMb(server.pid);

const shape = { batch: 100, connections: 4, requests: 500, bytes: 1000 };
const requests = await requestsFor(server, shape);
const after: number[] = [];
for (let i = 0; i < 8; i += 1) {
  await runLoad({ port: server.port, connections: 4, requests, total: shape.requests });
  after.push(residentMb(server.pid));
}
await server.stop();
rmSync(dir, { recursive: true, force: true });

starts.sort((a, b) => a - b);
const median = starts[Math.floor(starts.length / 2)] as number;
writeSection(
  'process',
  ['what', 'measured', 'goal'],
  [
    [
      'cold start until the first response, median of seven',
      `${(median / 1000).toFixed(2)} s`,
      '≤ 0.6 s',
    ],
    ['resident memory when idle', `${atRest.toFixed(0)} MB`, '≤ 120 MB'],
    [
      'resident memory after every 50,000 recorded calls',
      `${after.map((mb) => mb.toFixed(0)).join(', ')} MB`,
      'does not grow with the stored data',
    ],
  ],
);
