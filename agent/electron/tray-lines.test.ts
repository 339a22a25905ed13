import { expect, test } from 'vitest';
import type { AgentStatus } from '#agent/core/status.ts';
import { captureOf, idleStatus } from './testing/sample-status.ts';
import { describeStatus, describePause } from './tray-lines.ts';
import { createTranslator } from './messages/translator.ts';

const translator = createTranslator('en-GB');
const at1430 = new Date(2026, 10, 22, 14, 30).getTime();
const may30 = { allowed_minutes: 30, until: null };
const paused = { allowed_minutes: 30, until: at1430 };
const NOTHING = 'Nothing is decrypted';

test.each<[Partial<AgentStatus>, string[]]>([
  [{}, ['Observing', NOTHING]],
  [{ connected: false }, ['Observing, no connection to gatehouse.example:8443', NOTHING]],
  [{ phase: 'waiting for approval' }, ['Waiting for approval by gatehouse.example:8443', NOTHING]],
  [{ phase: 'enrolling' }, ['Enrolling with gatehouse.example:8443', NOTHING]],
  [{ phase: 'waiting for configuration', api_host: null }, ['Waiting for configuration', NOTHING]],
  [captureOf('api.openai.com'), ['Observing', 'Capturing api.openai.com']],
  [captureOf('api.openai.com', 'claude.ai'), ['Observing', 'Capturing 2 hosts']],
  [{ ...captureOf('claude.ai'), pause: paused }, ['Observing', 'Capture paused until 14:30']],
  // Capture that is enabled for no host is off, even during a pause.
  [{ ...captureOf(), pause: paused }, ['Observing', NOTHING]],
  [{ problems: ['one'] }, ['Observing', NOTHING, '1 problem']],
  [{ problems: ['one', 'two'] }, ['Observing', NOTHING, '2 problems']],
  [{ unread_files: ['inventory: /home/ada/x/.mcp.json: not JSON'] }, ['Observing', NOTHING]],
])('%o', (part, lines) => {
  expect(describeStatus({ ...idleStatus, ...part }, translator)).toEqual(lines);
});

test('lines are short even if many hosts are captured', () => {
  const hosts = Array.from({ length: 40 }, (_, i) => `${i}.example.com`);
  const status = { ...idleStatus, ...captureOf(...hosts), problems: hosts };
  for (const line of describeStatus(status, translator)) expect(line.length).toBeLessThan(40);
});

test.each<[Partial<AgentStatus>, ReturnType<typeof describePause>]>([
  [captureOf('claude.ai'), null],
  [
    { ...captureOf('claude.ai'), pause: may30 },
    { label: 'Pause capture for 30 minutes', action: 'pause' },
  ],
  [
    { ...captureOf('claude.ai'), pause: { ...may30, allowed_minutes: 1 } },
    { label: 'Pause capture for 1 minute', action: 'pause' },
  ],
  [
    { ...captureOf('claude.ai'), pause: paused },
    { label: 'Resume capture', action: 'resume' },
  ],
])('the item that pauses or resumes: %o', (part, choice) => {
  expect(describePause({ ...idleStatus, ...part }, translator)).toEqual(choice);
});

test('every word comes from the table of messages', () => {
  const status = {
    ...idleStatus,
    ...captureOf('1.2'),
    api_host: '3',
    connected: false,
    problems: ['4'],
  };
  const pseudo = createTranslator('en-XA');
  const choice = describePause({ ...status, pause: may30 }, pseudo);
  for (const line of [...describeStatus(status, pseudo), choice?.label]) {
    expect(line).toMatch(/^⟦/);
    expect(line).not.toMatch(/[a-z]/i);
  }
});
