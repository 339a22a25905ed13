import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFlowTable } from './flow-table.ts';
import type { FlowCounts, FlowSocket } from './flow-table.ts';

const socket = (key: number, over: Partial<FlowSocket> = {}): FlowSocket => ({
  key,
  protocol: 'tcp',
  localAddress: '10.0.0.1',
  localPort: 40_000 + key,
  address: '10.0.0.2',
  port: 443,
  inode: key,
  user: 'ann',
  owner: null,
  ...over,
});
const counts = (bytesIn: number | null, bytesOut: number | null): FlowCounts => ({
  established: true,
  bytesIn,
  bytesOut,
});
const idOf = (key: number | string) => `id-${key}`;

/** Runs steps at times 0, 1000, 2000 …, and returns the reports after each. */
function run(steps: ((table: ReturnType<typeof createFlowTable>, now: number) => void)[]) {
  const table = createFlowTable({ idOf, reportIntervalMs: 3000, maxMisses: 2 });
  return steps.map((step, i) => {
    table.startPoll(i * 1000);
    step(table, i * 1000);
    table.endPoll();
    return table.takeReports(i * 1000).map((flow) => ({
      id: flow.id,
      from: flow.startedAt,
      to: flow.endedAt,
      bytes: [flow.bytesIn, flow.bytesOut],
    }));
  });
}

type Step = Parameters<typeof run>[0][number];
const show =
  (one: FlowSocket, seen: FlowCounts): Step =>
  (table, now) => {
    if (table.update(one.key, seen)) return;
    table.add(one, now);
    table.update(one.key, seen);
  };
const nothing: Step = () => undefined;
const attempt = { ...counts(0, 0), established: false };
const udp = socket(1, { protocol: 'udp' });
const flow = (from: number, to: number | null, ...bytes: (number | null)[]) => [
  { id: 'id-1', from, to, bytes },
];

describe('flow table', () => {
  test.each<[string, Step[], unknown[]]>([
    [
      'opens once, and ends when it was missed twice, as of when it was last seen',
      [show(socket(1), counts(5, 6)), show(socket(1), counts(5, 6)), nothing, nothing, nothing],
      [flow(0, null, 5, 6), [], [], flow(0, 1000, 5, 6), []],
    ],
    [
      'survives one look that skipped it',
      [show(socket(1), counts(5, 6)), nothing, show(socket(1), counts(5, 6)), nothing],
      [flow(0, null, 5, 6), [], [], []],
    ],
    [
      'is reported again when its bytes moved, but not too often',
      [0, 1, 2, 3, 4].map((n) => show(socket(1), counts(n, 0))),
      [flow(0, null, 0, 0), [], [], flow(0, null, 3, 0), []],
    ],
    [
      'never counts down',
      [show(socket(1), counts(9, 9)), (table, now) => table.close(1, () => counts(8, 10), now)],
      [flow(0, null, 9, 9), flow(0, 1000, 9, 10)],
    ],
    [
      'keeps the counts seen last of a connection that was aborted',
      [show(socket(1), counts(9, 9)), (table, now) => table.close(1, () => undefined, now)],
      [flow(0, null, 9, 9), flow(0, 1000, 9, 9)],
    ],
    [
      'an attempt is no flow until it is established, and began when it was first seen',
      [show(socket(1), attempt), show(socket(1), attempt), show(socket(1), counts(1, 1))],
      [[], [], flow(0, null, 1, 1)],
    ],
    ['a failed attempt never was one', [show(socket(1), attempt), nothing, nothing], [[], [], []]],
    [
      'one that lived between two looks is reported once, ended',
      [
        nothing,
        (table, now) => {
          table.add(socket(1), now - 50);
          table.close(1, () => counts(3, 4), now - 10);
        },
        nothing,
      ],
      [[], flow(950, 990, 3, 4), []],
    ],
    [
      'a UDP socket is a flow from its second look on',
      [show(udp, counts(null, null)), show(udp, counts(null, null)), nothing, nothing],
      [[], flow(0, null, null, null), [], flow(0, 1000, null, null)],
    ],
    [
      'a UDP socket seen once and closed never was one',
      [show(udp, counts(null, null)), (table, now) => table.close(1, () => undefined, now)],
      [[], []],
    ],
  ])('%s', (_, steps, expected) => expect(run(steps)).toEqual(expected));

  test('reports again at once when the host or the owner becomes known, but only once', () => {
    const table = createFlowTable({ idOf, reportIntervalMs: 3000, maxMisses: 2 });
    const one = table.add(socket(1), 0);
    table.startPoll(0);
    table.update(1, counts(0, 0));
    const reported = [table.takeReports(0).length];
    one.host = 'api.openai.com';
    reported.push(table.takeReports(1).length, table.takeReports(2).length);
    one.owner = { pid: 7, name: 'curl', path: '/usr/bin/curl' };
    reported.push(table.takeReports(3).length, table.takeReports(4).length);
    expect(reported).toEqual([1, 1, 0, 1, 0]);
  });

  test('never reports excluded flows, not even at their end', () => {
    const table = createFlowTable({ idOf, reportIntervalMs: 3000, maxMisses: 1 });
    table.exclude(table.add(socket(1), 0));
    const two = table.add(socket(2), 0);
    table.close(2, () => counts(1, 1), 0);
    table.exclude(two);
    table.startPoll(0);
    table.update(1, counts(1, 1));
    expect(table.takeReports(0)).toEqual([]);
    table.close(1, () => counts(1, 1), 1);
    table.endPoll();
    expect([table.takeReports(2), [...table.all()]]).toEqual([[], []]);
  });

  test('a flow of an earlier run continues with its id and is not opened again', () => {
    const first = createFlowTable({ idOf, reportIntervalMs: 3000, maxMisses: 1 });
    first.startPoll(0);
    first.add(socket(1), 0);
    first.update(1, counts(5, 5));
    const kept = first.takeReports(0);
    const second = createFlowTable({ idOf, reportIntervalMs: 3000, maxMisses: 1 });
    kept.forEach(second.restore);
    second.startPoll(9000);
    expect([second.update(1, counts(5, 5)), second.takeReports(9000)]).toEqual([true, []]);
  });

  test('opens and ends every flow exactly once, with stable ids and bytes that only grow', () => {
    // Each socket exists from one step to a later one; a poll may skip it once in between.
    const life = fc.record({
      born: fc.nat(10),
      looks: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      bytes: fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
      isClosed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(life, { maxLength: 6 }), (lives) => {
        const reported = simulate(lives);
        lives.forEach((one, key) => {
          const reports = reported.filter(({ id }) => id === `id-${key}`);
          expect(reports.filter((report) => report.endedAt !== null)).toHaveLength(1);
          expect(reports.at(-1)?.endedAt).not.toBeNull();
          expect(new Set(reports.map((report) => report.startedAt))).toEqual(
            new Set([one.born * 1000]),
          );
          const bytes = reports.map((report) => report.bytesIn ?? 0);
          expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
        });
      }),
    );
  });
});

interface Life {
  born: number;
  looks: boolean[];
  bytes: number[];
  isClosed: boolean;
}

function simulate(lives: readonly Life[]) {
  const table = createFlowTable({ idOf, reportIntervalMs: 1, maxMisses: 2 });
  const reported: {
    id: string;
    startedAt: number;
    endedAt: number | null;
    bytesIn: number | null;
  }[] = [];
  for (let step = 0; step < 30; step++) {
    const now = step * 1000;
    table.startPoll(now);
    lives.forEach(({ born, looks, bytes, isClosed }, key) => {
      const age = step - born;
      // Two polls in a row never skip it, because that would count as its end.
      const isShown = looks[age] === true || (looks[age] === false && looks[age - 1] !== false);
      const seen = counts(bytes[age % 8] ?? 0, 0);
      if (age === 0) show(socket(key), seen)(table, now);
      else if (isShown && age < looks.length) table.update(key, seen);
      else if (age === looks.length && isClosed) table.close(key, () => seen, now);
    });
    table.endPoll();
    reported.push(...table.takeReports(now).map((flow) => ({ ...flow })));
  }
  return reported;
}
