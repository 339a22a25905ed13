import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../link/connection.ts';
import { openSpool, type Spool } from './spool.ts';
import { type FlowReport, flowReport } from '#contract/flows.ts';
import { flowOf } from '../testing/flow.ts';
import { startUploader } from './uploader.ts';

let dir: string;
let spool: Spool<FlowReport>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  dir = mkdtempSync(join(tmpdir(), 'uploader-'));
  spool = openSpool({ dir, report: flowReport, maxOpenMs: 3_600_000, maxReports: 1 });
});
afterEach(() => {
  spool.close();
  rmSync(dir, { recursive: true, force: true });
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Returns a control plane that accepts reports or does not respond, according to the list, and
 * records the times of requests.
 */
function serviceThat(takes: readonly boolean[]) {
  const requestTimes: number[] = [];
  const down = {
    errorClass: 'unreachable',
    status: null,
    line: 'no answer',
    identityRefused: false,
  };
  const request = async (): Promise<unknown> => {
    const taken = takes[requestTimes.length] ?? false;
    requestTimes.push(Date.now());
    return taken
      ? { kind: 'answered', response: { accepted: 1, duplicate: false } }
      : { kind: 'failed', failure: down };
  };
  const connection = { request, acceptedCount: () => 0 } as Partial<Connection> as Connection;
  return { requestTimes, connection };
}

test('the pauses grow with each failure, and are short again after a success', async () => {
  const [no, yes] = [false, true];
  const { requestTimes, connection } = serviceThat([no, no, no, yes, no, no, yes]);
  ['a', 'b'].forEach((id) => spool.append(flowOf(id)));
  let uploaded = 0;
  const loop = startUploader({
    spool,
    connection,
    part: 'upload',
    send: () => Promise.resolve(),
    backoff: { firstMs: 1000, maxMs: 60_000 },
    onUploaded: (reports) => (uploaded += reports),
    onRejected: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop.stop();
  // Half of a ceiling of one, two and four seconds; then the next batch at once (a timer waits at
  // least a millisecond), and the initial pauses again.
  const pauses = requestTimes.slice(1).map((at, i) => at - (requestTimes[i] ?? 0));
  expect(pauses).toEqual([500, 1000, 2000, 1, 500, 1000]);
  expect([uploaded, spool.queued()]).toEqual([2, 0]);
});
