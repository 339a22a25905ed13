import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { AppReport } from '#contract/inventory.ts';
import type { Connection } from '../link/connection.ts';
import { type ScanInventory, startInventoryReports } from './inventory-reports.ts';
import { createLog } from '../log.ts';
import { createProblems } from '../status/problems.ts';
import { createSignal } from '../signal.ts';

const app = (name: string): AppReport => ({
  kind: 'desktop_app',
  catalog_id: null,
  name,
  version: null,
  path: `/Applications/${name}`,
  user: null,
  confidence: 1,
  evidence: [],
  risk_flags: [],
});

/** Returns a control plane that responds when the test decides. */
function slowService() {
  const sent: { batch_id: string; names: string[]; answer: (outcome: object) => void }[] = [];
  const begun = Promise.withResolvers<void>();
  const reportInventory = ({ body }: { body: { batch_id: string; apps: AppReport[] } }) =>
    new Promise((answer) => {
      sent.push({ batch_id: body.batch_id, names: body.apps.map(({ name }) => name), answer });
      begun.resolve();
    });
  const device = { reportInventory } as object as Parameters<
    Parameters<Connection['request']>[2]
  >[0];
  const connection: Partial<Connection> = {
    request: (_part, _signal, call) => call(device) as Promise<never>,
  };
  return { sent, begun: begun.promise, connection: connection as Connection };
}

const taken = { answer: { accepted: 1, duplicate: false } };
const down = { kind: 'failed', failure: { kind: 'unreachable', status: null, line: 'no answer' } };

/**
 * Starts an agent that scans this many times, the second time once the first scan is being sent,
 * and then waits.
 */
function start({ maxScans }: { maxScans: number }) {
  const service = slowService();
  let scans = 0;
  const scan: ScanInventory = async (signal) => {
    if (scans > 0) await service.begun;
    if (scans === maxScans) await once(signal, 'abort');
    scans += 1;
    return { apps: [app(`scan-${scans}`)], problems: [] };
  };
  const scanned: string[] = [];
  const reports = startInventoryReports({
    scan,
    intervalMs: 1,
    isReady: () => true,
    connection: service.connection,
    problems: createProblems(createLog({ level: 'error', write: () => undefined })),
    backoff: { firstMs: 1, maxMs: 1 },
    onScanned: (apps) => scanned.push(...apps.map(({ name }) => name)),
  });
  return { ...service, reports, scanned };
}

const until = (check: () => void): Promise<void> => vi.waitFor(check);

test('a scan that could not be sent is sent again as the same batch', async () => {
  const { sent, reports } = start({ maxScans: 1 });
  await until(() => expect(sent).toHaveLength(1));
  sent[0]?.answer(down);
  await until(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ batch_id: sent[0]?.batch_id, names: ['scan-1'] });
  sent[1]?.answer(taken);
  await reports.stop();
});

test('the latest scan made during an upload is sent next', async () => {
  const { sent, reports, scanned } = start({ maxScans: 3 });
  await until(() => expect(scanned).toEqual(['scan-1', 'scan-2', 'scan-3']));
  expect(sent.map(({ names }) => names)).toEqual([['scan-1']]);
  sent[0]?.answer(taken);
  await until(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.names).toEqual(['scan-3']);
  expect(sent[1]?.batch_id).not.toBe(sent[0]?.batch_id);
  sent[1]?.answer(taken);
  await reports.stop();
});

/** Starts an agent whose scans return these results in order, and then always the last one. */
function startWith(results: readonly string[][]) {
  const service = slowService();
  const changed = createSignal();
  let scans = 0;
  const reports = startInventoryReports({
    scan: async () => {
      const names = results[Math.min(scans, results.length - 1)] ?? [];
      scans += 1;
      return { apps: names.map(app), problems: [] };
    },
    intervalMs: 3_600_000,
    minIntervalMs: 1,
    changed,
    isReady: () => true,
    connection: service.connection,
    problems: createProblems(createLog({ level: 'error', write: () => undefined })),
    onScanned: () => undefined,
  });
  return { ...service, reports, changed, scans: () => scans };
}

test('after a change there is a scan at once, and its result is sent if it is new', async () => {
  const { sent, reports, changed, scans } = startWith([['a'], ['a'], ['a', 'b']]);
  await until(() => expect(sent).toHaveLength(1));
  sent[0]?.answer(taken);
  changed.emit();
  await until(() => expect(scans()).toBe(2));
  changed.emit();
  await until(() => expect(sent).toHaveLength(2));
  sent[1]?.answer(taken);
  await reports.stop();
  expect(sent.map(({ names }) => names)).toEqual([['a'], ['a', 'b']]);
  expect(scans()).toBe(3);
});

test('many changes cause one scan', async () => {
  const { sent, reports, changed, scans } = startWith([['a'], ['b']]);
  await until(() => expect(sent).toHaveLength(1));
  sent[0]?.answer(taken);
  for (let i = 0; i < 100; i += 1) changed.emit();
  await until(() => expect(sent).toHaveLength(2));
  sent[1]?.answer(taken);
  await reports.stop();
  expect(scans()).toBe(2);
});
