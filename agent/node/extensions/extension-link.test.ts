import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExtensionMessage } from '#agent/core/extension-protocol/messages.ts';
import { openExtensionLink } from './extension-link.ts';
import type { ExtensionLink } from './extension-link.ts';
import { startFakeExtension } from './testing/fake-extension.ts';
import type { FakeExtension, FakeExtensionOptions } from './testing/fake-extension.ts';

let folder: string;
let path: string;
let fake: FakeExtension | undefined;
let link: ExtensionLink | undefined;
let events: string[];
let messages: ExtensionMessage[];
let problems: (string | null)[];
const problem = () => problems.at(-1);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'extension-link-'));
  path = join(folder, 'run', 'flowmonitor.sock');
  [events, messages, problems] = [[], [], []];
});
afterEach(async () => {
  link?.close();
  await fake?.stop();
  [fake, link] = [undefined, undefined];
  rmSync(folder, { recursive: true });
});

const startFake = async (over: Partial<FakeExtensionOptions> = {}) =>
  (fake = await startFakeExtension({ path, name: 'flowmonitor', ...over }));

function open(owner = userInfo().uid): void {
  link = openExtensionLink({
    path,
    extension: 'flowmonitor',
    owner,
    onReady: () => {
      events.push('ready');
      link?.send({ type: 'observe', on: true });
    },
    onMessage: (message) => void messages.push(message),
    onGone: () => void events.push('gone'),
    onProblem: (line) => void problems.push(line),
    backoff: { firstMs: 10, maxMs: 20 },
  });
}

test('sends its hello, then its messages, and receives messages', async () => {
  const { received, send } = await startFake();
  open();
  await expect.poll(() => messages).toEqual([{ type: 'listed' }]);
  expect(received).toEqual([
    { type: 'hello', protocol: 1 },
    { type: 'observe', on: true },
  ]);
  send({ type: 'dance' }, { type: 'dropped', count: 3 });
  await expect.poll(() => messages.at(-1)).toEqual({ type: 'dropped', count: 3 });
  expect([events, problem(), link?.isReady()]).toEqual([['ready'], null, true]);
});

test('a missing extension is not a problem, and is found once it exists', async () => {
  open();
  await expect.poll(problem).toBeNull();
  expect(link?.isReady()).toBe(false);
  await startFake();
  await expect.poll(() => link?.isReady()).toBe(true);
});

test('reconnects when the extension has disconnected', async () => {
  const { stop, start } = await startFake();
  open();
  await expect.poll(() => link?.isReady()).toBe(true);
  await stop();
  await expect.poll(() => events).toEqual(['ready', 'gone']);
  expect(link?.isReady()).toBe(false);
  await start();
  await expect.poll(() => events).toEqual(['ready', 'gone', 'ready']);
});

test('stays closed after `close`', async () => {
  const { connections } = await startFake();
  open();
  await expect.poll(() => link?.isReady()).toBe(true);
  link?.close();
  await expect.poll(connections).toBe(0);
  expect(events).toEqual(['ready', 'gone']);
});

describe('an extension is disconnected, with one line', () => {
  test.each<[string, Partial<FakeExtensionOptions>, string]>([
    [
      'of another version',
      { protocol: 2 },
      'it speaks version 2 of the local protocol, this agent 1',
    ],
    ['of another kind', { name: 'proxymonitor' }, 'it is proxymonitor'],
    ['that says hello twice', { answer: () => [hello, hello] }, 'it says hello twice'],
    [
      'whose message is malformed',
      { answer: () => [{ type: 'dropped' }] },
      'it sends a malformed message',
    ],
  ])('%s', async (_, over, reason) => {
    await startFake(over);
    open();
    await expect.poll(() => problems).toContain(`flowmonitor: ${reason}`);
  });

  test.each<[string, Uint8Array, string]>([
    ['whose frame is empty', new Uint8Array(4), 'it sends a frame that is empty or too long'],
    ['that floods', flood(30_000), 'it sends too many messages'],
  ])('%s', async (_, bytes, reason) => {
    const { sendBytes } = await startFake();
    open();
    await expect.poll(() => events).toEqual(['ready']);
    sendBytes(bytes);
    await expect.poll(() => events.slice(0, 2)).toEqual(['ready', 'gone']);
    await expect.poll(() => problems).toContain(`flowmonitor: ${reason}`);
  });
});

describe('nothing is sent to a socket that others could have created', () => {
  test('in a folder that others may change', async () => {
    const { connections } = await startFake();
    chmodSync(join(folder, 'run'), 0o777);
    open();
    await expect.poll(problem).toMatch(/^flowmonitor: .*only its owner \(user \d+\) may change$/);
    expect(connections()).toBe(0);
  });

  test('of another user', async () => {
    const { connections } = await startFake();
    open(userInfo().uid + 1);
    await expect.poll(problem).toMatch(/^flowmonitor: .*only its owner/);
    expect(connections()).toBe(0);
  });

  test('that is a file', async () => {
    await startFake();
    await fake?.stop();
    writeFileSync(path, '');
    open();
    await expect.poll(problem).toMatch(/flowmonitor.sock is not a socket of user \d+$/);
  });
});

const hello = { type: 'hello', protocol: 1, extension: 'flowmonitor', version: '1' };

function flood(count: number): Uint8Array {
  const frame = Buffer.from('000000117b2274797065223a226c6973746564227d', 'hex');
  return Buffer.concat(Array.from({ length: count }, () => frame));
}
