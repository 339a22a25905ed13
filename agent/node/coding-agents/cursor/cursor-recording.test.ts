import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CodingAgentLevel } from '#contract/guard.ts';
import { createSignal, type Signal } from '../../signal.ts';
import { type CursorRecording, startCursorRecording } from './cursor-recording.ts';

let bodies: string[];
let level: CodingAgentLevel;
let changed: Signal;
let recording: CursorRecording;
const plane = createServer((request, response) => {
  void text(request).then((body) => {
    bodies.push(body);
    response.end('{}');
  });
});
beforeEach(async () => {
  bodies = [];
  level = 'prompts';
  changed = createSignal();
  await new Promise<void>((resolve) => plane.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(plane.address() as AddressInfo).port}`;
  recording = startCursorRecording({
    level: () => level,
    onLevelChange: changed.subscribe,
    userName: () => null,
    // As for an export that began before the level changed.
    recording: async () => ({
      level: 'prompts',
      endpoint,
      key: 'svc_sd_1',
      relay: null,
      socket: '',
    }),
    roots: () => [],
    problems: { set: () => undefined, list: () => [] },
    retryMs: 60_000,
    onSent: () => undefined,
    onRecorded: () => undefined,
  });
});
afterEach(async () => {
  plane.closeAllConnections();
  await new Promise((resolve) => plane.close(resolve));
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
