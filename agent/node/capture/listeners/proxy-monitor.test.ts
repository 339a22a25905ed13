import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeProxyHeader } from '#agent/core/capture/listeners/testing/proxy-protocol-encoder.ts';
import { startFakeExtension } from '#agent/node/extensions/testing/fake-extension.ts';
import type {
  FakeExtension,
  FakeExtensionOptions,
} from '#agent/node/extensions/testing/fake-extension.ts';
import type { CaptureListener } from './capture-listener.ts';
import { openHandedOverListener } from './handed-over.ts';
import { openProxyMonitor } from './proxy-monitor.ts';
import { connectTo, recordConnections } from './testing/connection-recorder.ts';
import type { ConnectionRecorder } from './testing/connection-recorder.ts';

let folder: string;
let path: string;
let socketPath: string;
let fake: FakeExtension | undefined;
let taken: ConnectionRecorder;
let listener: CaptureListener;
/** Whether flows are accepted, at each received diversion. */
let taking: boolean[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proxy-monitor-'));
  path = join(folder, 'run', 'proxymonitor.sock');
  socketPath = join(folder, 'capture.sock');
  [taken, taking] = [recordConnections(), []];
});
afterEach(async () => {
  await listener.close();
  await fake?.stop();
  fake = undefined;
  rmSync(folder, { recursive: true });
});

const answer: FakeExtensionOptions['answer'] = (message) => {
  if (message.type !== 'divert') return [];
  taking.push(existsSync(message.socket));
  return [{ type: 'diverting', number: message.number, problem: null }];
};

const start = async (over: Partial<FakeExtensionOptions> = {}) =>
  (fake = await startFakeExtension({ path, name: 'proxymonitor', answer, ...over }));

function open(): void {
  const { onProblem } = taken;
  listener = openProxyMonitor({
    listener: openHandedOverListener({ path: socketPath, ...taken, onProblem: () => undefined }),
    socketPath,
    path,
    owner: userInfo().uid,
    onProblem,
    lookup: async (host) => (host === 'api.openai.com' ? ['203.0.113.7', '127.0.0.1'] : []),
  });
}

const orders = () => (fake?.received ?? []).filter((message) => message.type === 'divert');

test('diverts hosts and their addresses, and only while flows are accepted', async () => {
  await start();
  open();
  await expect.poll(() => fake?.received.length).toBe(2);
  await listener.setHosts(['api.openai.com', '*.example.com']);
  await expect
    .poll(() => orders().at(-1))
    .toMatchObject({
      hosts: ['api.openai.com', '*.example.com'],
      addresses: ['203.0.113.7'],
      socket: socketPath,
    });
  connectTo({ path: socketPath }).write(encodeProxyHeader(handedOver));
  expect((await taken.next()).destination.name).toBe('api.openai.com');
  listener.addResolved?.('a.example.com', ['203.0.113.8'], 60);
  await expect.poll(() => orders().at(-1)?.addresses).toEqual(['203.0.113.7', '203.0.113.8']);
  await listener.setHosts([]);
  expect(orders().at(-1)).toMatchObject({ hosts: [], addresses: [] });
  // Nothing is diverted before the first hosts are set, or while no agent accepts flows.
  expect(taking.slice(1).every(Boolean)).toBe(true);
  expect(existsSync(socketPath)).toBe(false);
  expect(fake?.refusals).toEqual([]);
});

test('sends the diversion again to a restarted extension', async () => {
  await start();
  open();
  await listener.setHosts(['api.openai.com']);
  await expect.poll(() => orders().at(-1)?.addresses).toEqual(['203.0.113.7']);
  await fake?.stop();
  await expect.poll(() => taken.problems.at(-1)).toMatch(/^ProxyMonitor is not running/);
  const before = orders().length;
  await fake?.start();
  await expect.poll(() => orders().length).toBe(before + 1);
  expect(orders().at(-1)?.hosts).toEqual(['api.openai.com']);
  await expect.poll(() => taken.problems.at(-1)).toBeNull();
});

test('a missing extension is a problem only while there is something to capture', async () => {
  open();
  await listener.setHosts(['api.openai.com']);
  expect(taken.problems.at(-1)).toMatch(/^ProxyMonitor is not running/);
  await listener.setHosts([]);
  expect(taken.problems.at(-1)).toBeNull();
});

test('reports why the extension cannot divert', async () => {
  const problem = 'the settings were refused';
  await start({
    answer: (message) =>
      message.type === 'divert' ? [{ type: 'diverting', number: message.number, problem }] : [],
  });
  open();
  await listener.setHosts(['api.openai.com']);
  await expect.poll(() => taken.problems.at(-1)).toBe(`ProxyMonitor cannot divert: ${problem}`);
});

const handedOver = {
  command: 'proxy',
  source: { address: '0.0.0.0', port: 0 },
  destination: { address: '0.0.0.0', port: 443 },
  authority: 'api.openai.com',
  pid: 4711,
  executable: '/usr/bin/curl',
  user: 'zoe',
  signingId: 'com.apple.curl',
} as const;
