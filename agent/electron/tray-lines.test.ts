import { expect, test } from 'vitest';
import type { AgentStatus } from '#agent/core/status.ts';
import { captureOf, quiet } from './testing/sample-status.ts';
import { describeInBrief, describePause } from './tray-lines.ts';
import { createSpeaker } from './words/speaker.ts';

const speaker = createSpeaker('en-GB');
const at1430 = new Date(2026, 10, 22, 14, 30).getTime();
const may30 = { allowed_minutes: 30, until: null };
const paused = { allowed_minutes: 30, until: at1430 };
const nothing = 'Nothing is decrypted';

test.each<[Partial<AgentStatus>, string[]]>([
  [{}, ['Observing', nothing]],
  [{ connected: false }, ['Observing, no connection to gatehouse.example:8443', nothing]],
  [{ phase: 'waiting for approval' }, ['Waiting for approval by gatehouse.example:8443', nothing]],
  [{ phase: 'enrolling' }, ['Enrolling with gatehouse.example:8443', nothing]],
  [{ phase: 'waiting for configuration', api_host: null }, ['Waiting for configuration', nothing]],
  [captureOf('api.openai.com'), ['Observing', 'Capturing api.openai.com']],
  [captureOf('api.openai.com', 'claude.ai'), ['Observing', 'Capturing 2 hosts']],
  [{ ...captureOf('claude.ai'), pause: paused }, ['Observing', 'Capture paused until 14:30']],
  // On for no host is off, paused or not.
  [{ ...captureOf(), pause: paused }, ['Observing', nothing]],
  [{ problems: ['one'] }, ['Observing', nothing, '1 problem']],
  [{ problems: ['one', 'two'] }, ['Observing', nothing, '2 problems']],
])('%o', (part, lines) => {
  expect(describeInBrief({ ...quiet, ...part }, speaker)).toEqual(lines);
});

test('lines stay short, whatever is captured', () => {
  const hosts = Array.from({ length: 40 }, (_, i) => `${i}.example.com`);
  const status = { ...quiet, ...captureOf(...hosts), problems: hosts };
  for (const line of describeInBrief(status, speaker)) expect(line.length).toBeLessThan(40);
});

test.each<[Partial<AgentStatus>, ReturnType<typeof describePause>]>([
  [captureOf('claude.ai'), null],
  [
    { ...captureOf('claude.ai'), pause: may30 },
    { label: 'Pause capture for 30 minutes', does: 'pause' },
  ],
  [
    { ...captureOf('claude.ai'), pause: { ...may30, allowed_minutes: 1 } },
    { label: 'Pause capture for 1 minute', does: 'pause' },
  ],
  [
    { ...captureOf('claude.ai'), pause: paused },
    { label: 'Resume capture', does: 'resume' },
  ],
])('what a person may do: %o', (part, choice) => {
  expect(describePause({ ...quiet, ...part }, speaker)).toEqual(choice);
});

test('every word is of the table', () => {
  const status = {
    ...quiet,
    ...captureOf('1.2'),
    api_host: '3',
    connected: false,
    problems: ['4'],
  };
  const pseudo = createSpeaker('en-XA');
  const choice = describePause({ ...status, pause: may30 }, pseudo);
  for (const line of [...describeInBrief(status, pseudo), choice?.label]) {
    expect(line).toMatch(/^⟦/);
    expect(line).not.toMatch(/[a-z]/i);
  }
});
