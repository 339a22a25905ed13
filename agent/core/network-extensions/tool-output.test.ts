import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseToolOutput, type ToolEvent } from './tool-output.ts';

const vectors = JSON.parse(
  readFileSync(new URL('tool-output-vectors.json', import.meta.url), 'utf8'),
) as string[];
const [flowMonitor, proxyMonitor] = [
  'com.example.agent.flowmonitor',
  'com.example.agent.proxymonitor',
];

/** The events in the order of the vectors, which the Swift tests print. */
const events: ToolEvent[] = [
  { event: 'activated', extension: flowMonitor, needs_restart: false },
  { event: 'deactivated', extension: flowMonitor, needs_restart: true },
  { event: 'needs_approval', extension: proxyMonitor },
  { event: 'configured', configuration: 'filter', was_present: true },
  { event: 'removed', configuration: 'proxy', was_present: false },
  { event: 'started', configuration: 'proxy', was_running: false },
  { event: 'stopped', configuration: 'proxy', was_running: true },
  { event: 'status', extension: flowMonitor, state: 'needs_approval', versions: ['1.2.3'] },
  { event: 'status', extension: proxyMonitor, state: 'active', versions: [] },
  { event: 'status', configuration: 'filter', present: true, enabled: false },
  { event: 'status', configuration: 'proxy', present: true, enabled: true, running: false },
  { event: 'failed', of: 'filter', problem: 'not permitted: "a/b"', code: 10 },
  { event: 'done', ok: false },
];

test('the lines of the program are read as it means them', () => {
  expect(parseToolOutput(`${vectors.join('\n')}\n`)).toEqual(events);
});

test('lines that are no known event are skipped', () => {
  const lines = [
    '',
    'Killed: 9',
    '[1',
    'null',
    '{"event":"paused","extension":"a.b"}',
    '{"event":"status","extension":"a.b","state":"sleeping","versions":[]}',
    '{"event":"done"}',
    '{"event":"done","ok":true,"later":1}',
  ];
  expect(parseToolOutput(lines.join('\n'))).toEqual([{ event: 'done', ok: true }]);
});
