import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { flowReport, type FlowReport } from '#contract/flows.ts';
import { createBatchWriter, type StoreBatch } from '#control-plane/device-reports/write.ts';
import { createTenantStateCache } from '#control-plane/tenants/tenant-states.ts';
import { databases } from '../support/databases.ts';
import { setUpStorage } from '../support/storage.ts';

const NOW = 1_800_000_000_000;

// The last word precedes the one before it in UTF-16 but follows it in UTF-8; collations sort 'a'
// before 'B'.
const word = fc.constantFrom('B', 'a', 'Ä', 'z', '\u{ffee}', '\u{1f600}');
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const bytes = orNull(fc.constantFrom(0, 9, 10, 2 ** 53 - 1));
const moment = fc.constantFrom(NOW - 5000, NOW - 4000, NOW - 1);

const report: fc.Arbitrary<FlowReport> = fc.record({
  id: fc.constantFrom('flw_1', 'flw_2'),
  app_id: orNull(word),
  process: orNull(word),
  path: orNull(word),
  pid: orNull(fc.constantFrom(9, 10)),
  user: orNull(word),
  host: orNull(fc.constantFrom('api.openai.com', 'Claude.ai')),
  address: word,
  port: fc.constantFrom(80, 443),
  protocol: fc.constantFrom('tcp', 'udp'),
  started_at: moment,
  ended_at: orNull(moment),
  bytes_in: bytes,
  bytes_out: bytes,
});

/** The same reports in any order, possibly repeated, in batches of any size. */
const waysToSend = fc.array(report, { minLength: 1, maxLength: 6 }).chain((reports) => {
  const sending = fc
    .shuffledSubarray([...reports, ...reports], { minLength: reports.length })
    .map((some) => [...some, ...reports])
    .chain((all) => fc.array(fc.nat(all.length), { maxLength: 3 }).map((cuts) => split(all, cuts)));
  return fc.record({ once: fc.constant([reports]), ways: fc.tuple(sending, sending) });
});

function split<T>(items: readonly T[], cuts: readonly number[]): T[][] {
  const places = [0, ...cuts.toSorted((a, b) => a - b), items.length];
  return places.slice(1).map((end, i) => items.slice(places[i], end));
}

const columns = ['tenant_id', ...flowReport.keyof().options] as const;

describe.each(databases)('flows on %s', (kind) => {
  const world = setUpStorage(kind);
  let takeBatch: StoreBatch;
  beforeAll(() => {
    takeBatch = createBatchWriter(world.storage, createTenantStateCache(world.storage));
  });

  let devices = 0;
  /**
   * Sends these batches from a new device, sequentially or concurrently; returns the stored flows.
   */
  async function storedOf(batches: readonly FlowReport[][], atOnce = false) {
    const device = { tenantId: 'tnt_1', deviceId: `dev_${(devices += 1)}` };
    const send = (flows: FlowReport[], i: number) =>
      takeBatch({ device, batchId: `batch-${i}`, at: NOW, flows });
    if (atOnce) await Promise.all(batches.map(send));
    else for (const [i, flows] of batches.entries()) await send(flows, i);
    return world.storage.db
      .selectFrom('flows')
      .select(columns)
      .where('device_id', '=', device.deviceId)
      .orderBy('id')
      .execute();
  }

  test('are the same for any order, batches and number of reports', async () => {
    await fc.assert(
      fc.asyncProperty(waysToSend, async ({ once, ways: [one, other] }) => {
        const expected = await storedOf(once);
        expect(await storedOf(one)).toEqual(expected);
        expect(await storedOf(other, true)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('keep known values, the first start and end, and the highest number of bytes', async () => {
    const opened: FlowReport = {
      id: 'flw_1',
      app_id: null,
      process: 'curl',
      path: '/usr/bin/curl',
      pid: 42,
      user: 'ada',
      host: null,
      address: '203.0.113.9',
      port: 443,
      protocol: 'tcp',
      started_at: NOW - 9000,
      ended_at: null,
      bytes_in: 10,
      bytes_out: 20,
    };
    const host = 'api.openai.com';
    const ended = { ...opened, host, ended_at: NOW - 5000, bytes_in: 900, bytes_out: 800 };
    const late = { ...opened, process: null, bytes_in: 50, bytes_out: null };
    const expected = [{ ...ended, tenant_id: 'tnt_1' }];
    expect(await storedOf([[opened], [ended], [late]])).toEqual(expected);
    expect(await storedOf([[late, ended, opened]])).toEqual(expected);
  });

  test('with a start in the future start now, and none ends before it starts', async () => {
    const at = (started_at: number, ended_at: number | null) => ({ started_at, ended_at });
    const [flow] = fc.sample(report, 1) as [FlowReport];
    const stored = await storedOf([
      [
        { ...flow, id: 'a', ...at(NOW + 1000, NOW + 2000) },
        { ...flow, id: 'b', ...at(NOW - 10, NOW - 20) },
      ],
    ]);
    expect(stored.map(({ started_at, ended_at }) => [started_at, ended_at])).toEqual([
      [NOW, NOW],
      [NOW - 10, NOW - 10],
    ]);
  });
});
