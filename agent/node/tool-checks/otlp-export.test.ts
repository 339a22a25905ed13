import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { type OtlpExport, sizeOfTexts, startOtlpExport } from './otlp-export.ts';

/** The messages of each request, and the status that it gets. */
const received: { messages: string[]; status: number }[] = [];
let statusFor: (messages: readonly string[]) => number;
let largest = 0;
const plane = createServer((request, response) => {
  void text(request).then((body) => {
    largest = Math.max(largest, Buffer.byteLength(body));
    const messages = JSON.parse(body) as string[];
    const status = statusFor(messages);
    received.push({ messages, status });
    response.writeHead(status).end('{}');
  });
});
let current: Recording | null;
let lines: string[];
/** All lines, also those that are no problem any more. */
let reported: string[];
beforeAll(() => new Promise<void>((resolve) => plane.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  plane.closeAllConnections();
  plane.close();
});
beforeEach(() => {
  received.splice(0);
  largest = 0;
  lines = [];
  reported = [];
  statusFor = () => 200;
  const { port } = plane.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  current = { endpoint, level: 'tools', key: 'svc_sd_1', relay: null, socket: '' };
});

const started: OtlpExport<string>[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});
const start = (retryMs = 5): OtlpExport<string> => {
  const exported = startOtlpExport<string>({
    part: 'mcp gateway',
    bodyOf: (messages) => messages,
    sizeOf: (message) => sizeOfTexts([message]),
    recording: async () => current,
    roots: () => [],
    problems: {
      set: (_, now = []) => {
        lines = [...now];
        reported.push(...now);
      },
      list: () => lines,
    },
    retryMs,
    onSent: () => undefined,
    onRecorded: () => undefined,
  });
  started.push(exported);
  return exported;
};
const accepted = () =>
  received.filter(({ status }) => status === 200).flatMap(({ messages }) => messages);
const accepts = (expected: readonly string[]) =>
  vi.waitFor(() => expect(accepted()).toEqual(expected));

test('sizes are those of JSON in UTF-8', () => {
  expect(sizeOfTexts(['字', '\u0000', null])).toBe(5 + 8 + 2);
});

test('a request has at most 4 MB, whatever the characters', async () => {
  const messages = Array.from({ length: 30 }, (_, index) => `${index}${'字'.repeat(100_000)}`);
  const exported = start();
  messages.forEach(exported.add);
  await accepts(messages);
  expect(largest).toBeLessThan(4.2 * 1024 * 1024);
  await exported.stop();
});

test('a batch that is too large is divided, and only a message that is too large alone is lost', async () => {
  statusFor = (messages) => (messages.length > 2 || messages.includes('large') ? 413 : 200);
  const exported = start();
  for (const message of ['a', 'b', 'c', 'large', 'd', 'e']) exported.add(message);
  await accepts(['a', 'b', 'c', 'd', 'e']);
  await exported.stop();
  expect(reported).toEqual([expect.stringMatching(/^1 call is not recorded: .* answered 413$/)]);
});

test('an invalid batch is lost, and does not delay the next one', async () => {
  statusFor = (messages) => (messages.includes('invalid') ? 400 : 200);
  const exported = start();
  exported.add('invalid');
  exported.add('a');
  await vi.waitFor(() =>
    expect(lines).toEqual([expect.stringMatching(/^2 calls are not recorded: .* answered 400$/)]),
  );
  exported.add('b');
  await accepts(['b']);
  await exported.stop();
  expect(lines).toEqual([]);
});

test('the problem ends when recording is off', async () => {
  statusFor = () => 503;
  const exported = start();
  exported.add('a');
  await vi.waitFor(() => expect(lines).toEqual([expect.stringMatching(/not recorded yet.* 503$/)]));
  current = null;
  await vi.waitFor(() => expect(lines).toEqual([]));
  await exported.stop();
});

test('what is cleared is not sent, and what waits is sent at the end', async () => {
  statusFor = () => 503;
  const exported = start(60_000);
  exported.add('a');
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  exported.clear();
  expect(lines).toEqual([]);
  statusFor = () => 200;
  exported.add('b');
  await exported.stop();
  expect(accepted()).toEqual(['b']);
});
