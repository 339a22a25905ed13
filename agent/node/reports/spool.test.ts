import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FlowReport, flowReport } from '#contract/flows.ts';
import { readReports, type Segment } from './segment-file.ts';
import { openSpool, type Spool, type SpoolOptions } from './spool.ts';
import { flowOf } from '../testing/flow.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (more: Partial<SpoolOptions<FlowReport>> = {}): Spool<FlowReport> =>
  openSpool({ dir, report: flowReport, maxOpenMs: 3_600_000, ...more });

const idsOf = (segment: Segment): string[] =>
  readReports(segment).map((report) => (report as { id: string }).id);

/** Returns all reports in the spool, oldest first, as an uploader would see them. */
function drain(spool: Spool<FlowReport>): string[] {
  spool.seal();
  const ids: string[] = [];
  for (let segment = spool.take(); segment; segment = spool.take()) {
    ids.push(...idsOf(segment));
    spool.remove(segment);
  }
  return ids;
}

describe('segments', () => {
  test('are closed when full, and sent oldest first with a stable id', () => {
    const sealed = vi.fn<() => void>();
    const spool = open({ maxReports: 2, onSealed: sealed });
    ['a', 'b', 'c', 'd', 'e'].forEach((id) => spool.append(flowOf(id)));
    expect([sealed.mock.calls.length, spool.queued()]).toEqual([2, 5]);
    const first = spool.take();
    spool.close();
    const again = open();
    expect(again.take()).toEqual(first);
    expect(drain(again)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([again.queued(), readdirSync(dir)]).toEqual([0, []]);
  });

  test('are closed after a time, and when they are large', async () => {
    const sealed = vi.fn<() => void>();
    const slow = open({ maxOpenMs: 1, onSealed: sealed });
    slow.append(flowOf('a'));
    await vi.waitFor(() => expect(sealed).toHaveBeenCalledTimes(1));
    const large = open({ segmentBytes: 100, onSealed: sealed });
    large.append(flowOf('b', { path: `/${'x'.repeat(100)}` }));
    expect(sealed).toHaveBeenCalledTimes(2);
  });

  test('contain reports in their wire format', () => {
    const spool = open({ maxReports: 1 });
    spool.append(flowOf('a', { ended_at: 1_800_000_000_500 }));
    expect(readReports(spool.take() as Segment)).toEqual([
      {
        ...flowOf('a'),
        started_at: '2027-01-15T08:00:00.000Z',
        ended_at: '2027-01-15T08:00:00.500Z',
      },
    ]);
  });

  test('are split into two that replace them, down to single reports', () => {
    const spool = open({ maxReports: 5 });
    ['a', 'b', 'c', 'd', 'e', 'f'].forEach((id) => spool.append(flowOf(id)));
    const whole = spool.take() as Segment;
    spool.split(whole);
    const first = spool.take() as Segment;
    expect(idsOf(first)).toEqual(['a', 'b', 'c']);
    spool.split(first);
    expect(spool.queued()).toBe(6);
    spool.close();
    const again = open();
    const found: string[][] = [];
    const batches = new Set([whole.batchId, first.batchId]);
    for (let part = again.take(); part; part = again.take()) {
      found.push(idsOf(part));
      batches.add(part.batchId);
      again.remove(part);
    }
    expect(found).toEqual([['a', 'b'], ['c'], ['d', 'e'], ['f']]);
    expect([batches.size, readdirSync(dir)]).toEqual([6, []]);
  });

  test('that cannot be split are kept, and a problem is reported', () => {
    const spool = open();
    spool.append(flowOf('a'));
    spool.append(flowOf('b', { path: `/${'x'.repeat(4000)}` }));
    spool.close();
    const before = readdirSync(dir);
    // The second half is larger than the files that this process may create.
    const script = `
      import { openSpool } from ${JSON.stringify(new URL('spool.ts', import.meta.url).href)};
      import { flowReport } from ${JSON.stringify(import.meta.resolve('#contract/flows.ts'))};
      const spool = openSpool({ dir: process.argv[1], report: flowReport, openMs: 1000, onProblem: console.log });
      spool.split(spool.take());
      console.log(spool.queued());`;
    const limited = ['-c', 'ulimit -f 2; exec "$0" "$@"', process.execPath];
    const output = execFileSync('sh', [...limited, '--input-type=module', '-e', script, dir]);
    expect(output.toString()).toBe('a batch could not be split: EFBIG\n2\n');
    expect(readdirSync(dir)).toEqual(before);
    expect(drain(open())).toEqual(['a', 'b']);
  });

  test('that the control plane permanently refuses are set aside, and only the latest ten are kept', () => {
    const dropped = vi.fn<(reports: number) => void>();
    const spool = open({ maxReports: 1, onDropped: dropped });
    for (let i = 0; i < 12; i += 1) {
      spool.append(flowOf(`flow-${i}`));
      spool.reject(spool.take() as Segment);
    }
    expect([spool.queued(), dropped.mock.calls.length]).toEqual([0, 12]);
    const names = readdirSync(dir).sort();
    expect(names.map((name) => name.slice(10, 12))).toEqual([
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
      '09',
      '10',
      '11',
      '12',
    ]);
    expect(open().take()).toBeNull();
  });

  test('a segment whose file cannot be removed or renamed is a problem, and the next one is sent', () => {
    const problems: string[] = [];
    const spool = open({ maxReports: 1, onProblem: (line) => problems.push(line) });
    for (const id of ['a', 'b', 'c']) spool.append(flowOf(id));
    const uploaded = spool.take()!;
    rmSync(uploaded.path);
    mkdirSync(uploaded.path);
    spool.remove(uploaded);
    const refused = spool.take()!;
    rmSync(refused.path);
    spool.reject(refused);
    expect(problems).toEqual([
      'an uploaded batch could not be removed: EISDIR',
      'a refused batch could not be set aside: ENOENT',
    ]);
    expect(drain(spool)).toEqual(['c']);
  });

  test('a report that violates the contract is dropped, reported and counted', () => {
    const [dropped, problem] = [
      vi.fn<(reports: number) => void>(),
      vi.fn<(line: string) => void>(),
    ];
    const spool = open({ onDropped: dropped, onProblem: problem });
    expect(spool.append(flowOf('a', { port: 70_000 }))).toBe(false);
    expect(spool.append(flowOf('b'))).toBe(true);
    expect([dropped.mock.calls, problem.mock.calls]).toEqual([
      [[1, expect.any(Number), expect.any(Number)]],
      [['a report could not be stored: it is not of the contract']],
    ]);
    expect(drain(spool)).toEqual(['b']);
  });

  test('a removed folder is reported, and the reports are counted', () => {
    const [dropped, problem] = [
      vi.fn<(reports: number) => void>(),
      vi.fn<(line: string) => void>(),
    ];
    const spool = open({ onDropped: dropped, onProblem: problem });
    rmSync(dir, { recursive: true });
    expect(spool.append(flowOf('a'))).toBe(false);
    expect([dropped.mock.calls, problem.mock.calls]).toEqual([
      [[1, expect.any(Number), expect.any(Number)]],
      [['a report could not be stored: ENOENT']],
    ]);
  });
});

describe('at the size limit', () => {
  test('the callback gets the time range of dropped reports, also for half a segment', () => {
    const times: number[][] = [];
    const spool = open({
      maxOpenMs: 1000,
      maxReports: 2,
      onDropped: (reports, from, to) => times.push([reports, from, to]),
    });
    for (const id of ['a', 'b']) spool.append(flowOf(id));
    const whole = spool.take() as Segment;
    utimesSync(whole.path, 50, 50);
    spool.split(whole);
    spool.reject(spool.take() as Segment);
    expect(times).toEqual([[1, 49_000, 50_000]]);
  });

  test('the oldest reports are dropped and counted, but not those that are being sent', () => {
    let dropped = 0;
    const size = Buffer.byteLength(`${JSON.stringify(flowOf('flow-0'))}\n`) + 40;
    const spool = open({
      maxReports: 1,
      maxBytes: size * 3,
      onDropped: (reports) => (dropped += reports),
    });
    spool.append(flowOf('flow-0'));
    const sending = spool.take() as Segment;
    for (let i = 1; i < 8; i += 1) spool.append(flowOf(`flow-${i}`));
    expect(idsOf(sending)).toEqual(['flow-0']);
    expect(dropped + spool.queued()).toBe(8);
    const left = drain(spool);
    expect(left[0]).toBe('flow-0');
    expect(left.slice(1)).toEqual(
      ['flow-1', 'flow-2', 'flow-3', 'flow-4', 'flow-5', 'flow-6', 'flow-7'].slice(
        -left.length + 1,
      ),
    );
    expect(left).toHaveLength(8 - dropped);
    expect(dropped).toBeGreaterThan(0);
  });
});

describe('after a crash', () => {
  test('all complete lines are kept, once and in order, whatever the last line looks like', () => {
    const line = (id: string): string => `${JSON.stringify({ id })}\n`;
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), { maxLength: 4 }),
        fc.string().filter((torn) => !torn.includes('\n')),
        (lives, torn) => {
          rmSync(dir, { recursive: true, force: true });
          for (const ids of lives) {
            open().close();
            writeFileSync(join(dir, 'open.ndjson'), ids.map(line).join('') + torn);
          }
          expect(drain(open())).toEqual(lives.flat());
          expect(readdirSync(dir)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('parts next to their whole were never sent, so only the whole is sent', () => {
    const spool = open({ maxReports: 4 });
    ['a', 'b', 'c', 'd'].forEach((id) => spool.append(flowOf(id)));
    const whole = spool.take() as Segment;
    const content = readFileSync(whole.path);
    spool.split(whole);
    const parts = readdirSync(dir).sort();
    // The state at each point where a process may end: nothing written, one part, half of it, both
    // parts.
    for (const left of [[], parts.slice(0, 1), parts]) {
      for (const name of readdirSync(dir)) rmSync(join(dir, name));
      writeFileSync(whole.path, content);
      for (const name of left) writeFileSync(join(dir, name), content.subarray(0, 20));
      const again = open();
      expect(again.take()).toEqual(whole);
      expect(readdirSync(dir)).toEqual([basename(whole.path)]);
    }
  });

  test('files with other names are ignored', () => {
    for (const name of ['notes.txt', '1-x.ndjson', '000000000001.ndjson'])
      writeFileSync(join(dir, name), 'x\n');

    expect(drain(open())).toEqual([]);
    expect(readdirSync(dir)).toHaveLength(3);
  });

  test('a killed process loses no stored report and leaves no duplicate', async () => {
    const stored: string[] = [];
    for (const life of ['a', 'b', 'c', 'd', 'e']) {
      stored.push(...(await appendUntilKilled(life)));
      // The partial line that a kill within the system call would leave.
      appendFileSync(join(dir, 'open.ndjson'), '{"id":"half');
    }
    const found = drain(open());
    expect(stored.length).toBeGreaterThan(5 * 40);
    expect(stored.filter((id) => !found.includes(id))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    // Reports that were stored but not printed before the kill: at most those of one turn per
    // process.
    expect(found.length - stored.length).toBeLessThan(5 * 200);
  });
});

/** Runs a process that appends endlessly, kills it, and returns the ids that it had printed. */
async function appendUntilKilled(prefix: string): Promise<string[]> {
  const script = new URL('../testing/spool-writer.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dir, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.length > 400) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.split('\n').slice(0, -1);
}
