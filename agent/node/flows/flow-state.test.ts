import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFlowTable } from '#agent/core/flow-table.ts';
import { readFlowState, writeFlowState } from './flow-state.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flow-state-'));
  file = join(folder, 'below', 'flows.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function openFlow() {
  const table = createFlowTable({ idOf: String, reportIntervalMs: 1, maxMisses: 1 });
  const owner = { pid: 7, name: 'curl', path: '/usr/bin/curl' };
  table.startPoll(1000);
  const flow = table.add(
    {
      key: 5,
      protocol: 'tcp',
      localAddress: '10.0.0.1',
      localPort: 40_000,
      address: '10.0.0.2',
      port: 443,
      inode: 3,
      user: 'ann',
      owner,
    },
    1000,
  );
  table.update(5, { established: true, bytesIn: 10, bytesOut: 20 });
  return { flow, table };
}

test('a reported open flow is restored unchanged, last seen when the file was written', async () => {
  const { flow, table } = openFlow();
  table.takeReports(1000);
  await writeFlowState(file, 'boot-1', 4000, [flow]);
  const state = await readFlowState(file);
  const reported = { ...flow.reported, at: 4000 };
  expect(state).toEqual({
    scope: 'boot-1',
    seenAt: 4000,
    flows: [{ ...flow, lastSeen: 4000, lastPoll: 0, reported }],
  });
  expect([readdirSync(join(folder, 'below')), statSync(file).mode & 0o777]).toEqual([
    ['flows.json'],
    0o600,
  ]);
});

test('a flow that was never reported is not stored', async () => {
  await writeFlowState(file, 'boot-1', 4000, [openFlow().flow]);
  expect(await readFlowState(file)).toEqual({ scope: 'boot-1', seenAt: 4000, flows: [] });
});

test('a missing file is an empty state', async () => {
  expect(await readFlowState(file)).toBeNull();
});

test.each(['', '{', '{"scope":"boot-1","seen_at":1,"flows":[{"key":1}]}'])(
  'a damaged file is a problem, not a crash: %s',
  async (content) => {
    const damaged = join(folder, 'flows.json');
    writeFileSync(damaged, content);
    const error = `the open flows in ${damaged} cannot be read and are discarded`;
    expect(await readFlowState(damaged)).toEqual({ error });
  },
);
