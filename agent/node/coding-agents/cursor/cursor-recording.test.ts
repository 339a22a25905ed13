import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CodingAgentLevel } from '#contract/guard.ts';
import { createSignal, type Signal } from '../../signal.ts';
import { type CursorRecording, startCursorRecording } from './cursor-recording.ts';

let bodies: string[];
let level: CodingAgentLevel;
let changed: Signal;
let recording: CursorRecording;
let folder: string;
let failing: boolean;
/** Exports wait for it. */
let held: Promise<void>;
const plane = createServer((request, response) => {
  void text(request).then((body) => {
    if (failing) response.writeHead(503);
    else bodies.push(body);
    response.end('{}');
  });
});
beforeEach(async () => {
  bodies = [];
  level = 'prompts';
  failing = false;
  held = Promise.resolve();
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-cursor-'));
  changed = createSignal();
  await new Promise<void>((resolve) => plane.listen(0, '127.0.0.1', resolve));
  recording = start();
});

function start(): CursorRecording {
  const endpoint = `http://127.0.0.1:${(plane.address() as AddressInfo).port}`;
  return startCursorRecording({
    file: join(folder, 'cursor-tokens.json'),
    level: () => level,
    onLevelChange: changed.subscribe,
    userName: () => null,
    // As for an export that began before the level changed.
    recording: async () => {
      await held;
      return { level: 'prompts', endpoint, key: 'svc_sd_1', relay: null, socket: '' };
    },
    roots: () => [],
    problems: { set: () => undefined, list: () => [] },
    retryMs: 60_000,
    onSent: () => undefined,
    onRecorded: () => undefined,
  });
}

afterEach(async () => {
  plane.closeAllConnections();
  await new Promise((resolve) => plane.close(resolve));
  rmSync(folder, { recursive: true });
});

const record = (hook_event_name: string, more: object = {}) =>
  recording.record({ conversation_id: 'c', generation_id: 'g', hook_event_name, ...more }, null);

test('the last call of a turn that did not end is sent when the agent stops', async () => {
  await record('beforeSubmitPrompt', { prompt: 'PROMPT' });
  await record('afterAgentResponse', { text: 'ANSWER' });
  await recording.stop();
  expect(bodies.join()).toContain('ANSWER');
});

test('what was observed before recording was off is not sent later', async () => {
  await record('beforeSubmitPrompt', { prompt: 'BEFORE' });
  await record('afterAgentResponse', { text: 'BEFORE' });
  level = 'off';
  changed.emit();
  level = 'prompts';
  changed.emit();
  await record('afterAgentResponse', { text: 'AFTER' });
  await record('stop', { status: 'completed' });
  await recording.stop();
  expect(bodies.join()).toContain('AFTER');
  expect(bodies.join()).not.toContain('BEFORE');
});

test('nothing that waits is sent once recording is off', async () => {
  await record('afterAgentResponse', { text: 'BEFORE' });
  level = 'off';
  await recording.stop();
  expect(bodies).toEqual([]);
});

const total = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens });

/** The sum of the input and output tokens that the control plane accepted. */
function recordedTokens(): [number, number] {
  const sumOf = (kind: string): number =>
    [
      ...bodies
        .join()
        .matchAll(new RegExp(`gen_ai.usage.${kind}_tokens","value":{"intValue":"(\\d+)"`, 'g')),
    ].reduce((sum, [, count]) => sum + Number(count), 0);
  return [sumOf('input'), sumOf('output')];
}

test.each([
  ['a call that was recorded', false],
  ['a call that could not be sent', true],
])('a restart during a turn, after %s, counts its tokens once', async (_, isLost) => {
  failing = isLost;
  await record('afterAgentResponse', { text: 'A', ...total(100, 10) });
  await recording.stop();
  expect(recordedTokens()).toEqual(isLost ? [0, 0] : [100, 10]);
  failing = false;
  recording = start();
  await record('afterAgentResponse', { text: 'B', ...total(250, 30) });
  await record('stop', { status: 'completed', ...total(260, 32) });
  await recording.stop();
  expect(recordedTokens()).toEqual([260, 32]);
  // A turn that has ended leaves nothing on disk.
  expect(readdirSync(folder)).toEqual([]);
});

test('a damaged file is set aside', async () => {
  await recording.stop();
  writeFileSync(join(folder, 'cursor-tokens.json'), '{');
  recording = start();
  await record('afterAgentResponse', { text: 'A', ...total(100, 10) });
  await recording.stop();
  expect(recordedTokens()).toEqual([100, 10]);
  expect(readdirSync(folder).toSorted()).toEqual([
    'cursor-tokens.json',
    'cursor-tokens.json.corrupt',
  ]);
});

test('many long texts are sent in requests of at most 4 MB', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const answers = Array.from({ length: 40 }, (_, index) => `${index} ${'字'.repeat(60_000)}`);
  for (const answer of answers) await record('afterAgentResponse', { text: answer });
  await record('stop', { status: 'completed' });
  resolve();
  await expect.poll(() => bodies.join().match(/\d+ 字/g)?.length).toBeGreaterThanOrEqual(40);
  await recording.stop();
  const sizes = bodies.map((body) => Buffer.byteLength(body));
  expect(Math.max(...sizes)).toBeLessThan(4.2 * 1024 * 1024);
});
