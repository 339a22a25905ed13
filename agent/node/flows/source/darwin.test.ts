import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FlowReport } from '#contract/flows.ts';
import { startFakeExtension } from '#agent/node/extensions/testing/fake-extension.ts';
import type { FakeExtension } from '#agent/node/extensions/testing/fake-extension.ts';
import { catalogHostOf } from '../host-names.ts';
import { createFlowPoller } from '../flow-poller.ts';
import type { FlowPoller } from '../flow-poller.ts';
import { openDarwinSource } from './darwin.ts';
import type { FlowSource } from './flow-source.ts';

let folder: string;
let path: string;
let fake: FakeExtension;
let source: FlowSource;
let poller: FlowPoller;
let time: number;
let reports: FlowReport[];

/** The response to `observe`: the flows that are already open. */
let open: object[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'darwin-source-'));
  path = join(folder, 'run', 'flowmonitor.sock');
  [time, reports, open] = [1_000_000, [], []];
  fake = await startFakeExtension({
    path,
    name: 'flowmonitor',
    answer: (message) =>
      message.type === 'observe' && message.on ? [...open, { type: 'listed' }] : [],
  });
});
afterEach(async () => {
  source.close();
  source.names?.stop();
  await fake.stop();
  rmSync(folder, { recursive: true });
});

function start(): void {
  source = openDarwinSource({
    flowMonitor: { path, owner: userInfo().uid },
    onConnecting: (socket) => poller.onConnecting(socket),
    onClosed: (end) => poller.onClosed(end),
    catalogHostOf,
    now: () => time,
  });
  const unresolved = { nameOf: () => undefined, finalAfterMs: 60_000, stop: () => undefined };
  poller = createFlowPoller(source, source.names ?? unresolved, {
    exclude: () => [{ address: '198.51.100.9', port: 443 }],
    appOf: ({ name }) => (name === 'claude' ? 'claude-code' : undefined),
    reportIntervalMs: 0,
    now: () => time,
  });
}

/** Polls once more. Returns all reports so far. */
async function readReports(): Promise<FlowReport[]> {
  time += 1;
  reports.push(...(await poller.poll()).reports);
  return reports;
}

const flow = (over: object = {}) => ({
  type: 'opened',
  id: 'A1',
  started_at: 1_000_000,
  protocol: 'tcp',
  address: '203.0.113.7',
  port: 443,
  host: 'api.anthropic.com',
  process: {
    pid: 4711,
    pid_version: 1,
    path: '/Users/zoe/.local/bin/claude',
    signing_id: 'com.anthropic.claude-code',
    user: 'zoe',
  },
  ...over,
});

const closed = (id: string, bytes_in: number, bytes_out: number) => ({
  type: 'closed',
  id,
  at: 1_000_500,
  bytes_in,
  bytes_out,
});

test('a flow that opened and closed between two polls is reported completely', async () => {
  start();
  await expect.poll(() => fake.received.length).toBe(2);
  fake.send(flow(), closed('A1', 2000, 1000));
  await expect.poll(readReports).toHaveLength(1);
  expect(reports[0]).toEqual({
    id: expect.stringMatching(/^fl_[0-9a-f]{32}$/) as string,
    app_id: 'claude-code',
    process: 'claude',
    path: '/Users/zoe/.local/bin/claude',
    pid: 4711,
    user: 'zoe',
    host: 'api.anthropic.com',
    address: '203.0.113.7',
    port: 443,
    protocol: 'tcp',
    started_at: expect.any(Number) as number,
    ended_at: expect.any(Number) as number,
    bytes_in: 2000,
    bytes_out: 1000,
  });
});

test('a long-lived flow is reported when it opens, when its bytes change, and when it ends', async () => {
  start();
  await expect.poll(() => fake.received.length).toBe(2);
  fake.send(flow());
  fake.send({ type: 'counted', id: 'A1', at: 1, bytes_in: 5, bytes_out: 6 });
  await expect.poll(readReports).toMatchObject([{ bytes_in: 5, bytes_out: 6, ended_at: null }]);
  fake.send({ type: 'counted', id: 'A1', at: 2, bytes_in: 50, bytes_out: 60 });
  await expect.poll(readReports).toHaveLength(2);
  fake.send(closed('A1', 51, 61));
  await expect.poll(readReports).toHaveLength(3);
  const [first, , last] = reports;
  expect(last).toMatchObject({ id: first?.id, bytes_in: 51, bytes_out: 61 });
  expect(last?.ended_at).not.toBeNull();
});

describe('the name', () => {
  test('comes from the TLS greeting if the program does not tell the system', async () => {
    start();
    await expect.poll(() => fake.received.length).toBe(2);
    const bytes = greeting('api.openai.com').toString('base64');
    fake.send(flow({ host: null }), { type: 'greeting', id: 'A1', bytes }, closed('A1', 1, 1));
    await expect.poll(readReports).toMatchObject([{ host: 'api.openai.com' }]);
  });

  test.each([
    ['named by the system', flow({ host: 'bank.example.com' }), []],
    [
      'named in the greeting',
      flow({ host: null }),
      [{ type: 'greeting', id: 'A1', bytes: greeting('bank.example.com').toString('base64') }],
    ],
  ])('of a host outside the catalog is not stored: %s', async (_, opened, more) => {
    start();
    await expect.poll(() => fake.received.length).toBe(2);
    fake.send(opened, ...more, closed('A1', 1, 1));
    await expect.poll(readReports).toMatchObject([{ host: null, address: '203.0.113.7' }]);
  });
});

test('connection attempts, the control plane, this machine and the agent itself are excluded', async () => {
  start();
  await expect.poll(() => fake.received.length).toBe(2);
  const own = { pid: process.pid, pid_version: 1, path: null, signing_id: null, user: null };
  const flows = [
    [flow({ id: '1' }), closed('1', 0, 0)],
    [flow({ id: '2', address: '198.51.100.9' }), closed('2', 1, 1)],
    [flow({ id: '3', address: '127.0.0.1' }), closed('3', 1, 1)],
    [flow({ id: '4', process: own }), closed('4', 1, 1)],
    [flow({ id: '5', process: null }), closed('5', 7, 1)],
  ];
  fake.send(...flows.flat());
  await expect.poll(readReports).toMatchObject([{ bytes_in: 7, process: null, user: null }]);
});

test('flows continue when FlowMonitor restarts, and end when it no longer lists them', async () => {
  start();
  await expect.poll(() => fake.received.length).toBe(2);
  const both = ['A1', 'B2'].map((id) => ({ ...closed(id, 1, 1), type: 'counted' }));
  fake.send(flow(), flow({ id: 'B2' }), ...both);
  await expect.poll(readReports).toHaveLength(2);
  await fake.stop();
  await expect.poll(async () => (await source.poll(deaf)).complete).toBe(false);
  open = [flow()];
  await fake.start();
  await expect.poll(readReports).toHaveLength(3);
  const ids = reports.map(({ id }) => id);
  expect([ids[2], reports[2]?.ended_at]).toEqual([ids[1], expect.any(Number)]);
  fake.send(closed('A1', 9, 9));
  await expect.poll(readReports).toHaveLength(4);
  expect(reports[3]).toMatchObject({ id: ids[0], bytes_in: 9 });
});

test('more flows than the maximum are a problem', async () => {
  start();
  await expect.poll(() => fake.received.length).toBe(2);
  fake.send({ type: 'dropped', count: 7 });
  const error = 'some network flows were not observed: there were more than this agent takes';
  await expect.poll(() => source.poll(deaf)).toEqual({ complete: true, error });
  expect(await source.poll(deaf)).toEqual({ complete: true });
});

const deaf = { update: () => true, add: () => undefined };

/** Returns a ClientHello that contains only this name. */
function greeting(name: string): Buffer {
  const host = Buffer.from(name);
  const sized = (bytes: Buffer, size: 1 | 2 | 3) => {
    const length = Buffer.alloc(size);
    length.writeUIntBE(bytes.length, 0, size);
    return Buffer.concat([length, bytes]);
  };
  const list = sized(Buffer.concat([Buffer.from([0]), sized(host, 2)]), 2);
  const extensions = sized(Buffer.concat([Buffer.from([0, 0]), sized(list, 2)]), 2);
  const head = Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32)]);
  const suites = sized(Buffer.from([0x13, 0x01]), 2);
  const body = Buffer.concat([
    head,
    sized(Buffer.alloc(0), 1),
    suites,
    sized(Buffer.alloc(1), 1),
    extensions,
  ]);
  const hello = Buffer.concat([Buffer.from([1]), sized(body, 3)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), sized(hello, 2)]);
}
