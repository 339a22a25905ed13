import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kindOfProblem, problemsByKind } from './problem-kinds.ts';

test.each([
  ['managed preferences: /x: no such file yet', 'setup'],
  ['control plane: cannot be reached', 'network'],
  ['enroll: 401 unauthorized', 'identity'],
  ['capture spool: a report could not be stored: ENOSPC', 'storage'],
  ['capture (transparent): not permitted', 'capturing'],
  ['flows: not permitted', 'observing'],
  ['flow monitor: not permitted', 'observing'],
  ['network extensions: a.b.flowmonitor waits for permission', 'observing'],
  ['inventory: scan failed: no memory', 'inventory'],
  ['guard: the catalog of this agent does not have: "x.example"', 'refused'],
  ['coding agents: /etc/codex/managed_config.toml: not permitted', 'coding'],
  ['tool hooks: /etc/codex/requirements.toml: not permitted', 'coding'],
  ['tool checks: the control plane does not answer', 'checks'],
  ['tool socket: /run/tools.sock: not permitted', 'checks'],
  ['tool calls: a report could not be stored: ENOSPC', 'telemetry'],
  ['mcp gateway: calls are not recorded yet: ECONNREFUSED', 'telemetry'],
  ['cursor: calls are not recorded yet: ECONNREFUSED', 'telemetry'],
  ['telemetry relay: the relay for telemetry cannot listen: EADDRINUSE', 'telemetry'],
  ['recording key: 500 internal error', 'telemetry'],
  ['something new: broken', 'other'],
  ['constructor: broken', 'other'],
  ['', 'other'],
])('%s is of kind %s', (line, kind) => {
  expect(kindOfProblem(line)).toBe(kind);
});

/** Ways in which the sources of the agent name the part that has a problem. */
const namesOfParts = [
  /problems\.set\(\s*['`]([^'`]+)/g,
  /const PART = '([^']+)'/g,
  /\bpart: '([^']+)'/g,
  /\.request(?:WithApiKey)?\(\s*'([^']+)'/g,
];

function partsOfAgent(): string[] {
  const folder = join(import.meta.dirname, '../../node');
  const paths = globSync('**/*.ts', { cwd: folder }).filter(
    (path) => !path.endsWith('.test.ts') && !path.includes('testing/'),
  );
  const parts = paths.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return namesOfParts.flatMap((names) =>
      [...text.matchAll(names)].map(([, part]) => part?.replace(/ \(.*$/, '') ?? ''),
    );
  });
  return [...new Set(parts)];
}

test('every part of the agent that can have a problem is explained', () => {
  const parts = partsOfAgent();
  // One for each way of naming a part.
  expect(parts).toEqual(
    expect.arrayContaining([
      'guard',
      'capture',
      'tool hooks',
      'tool calls',
      'recording key',
      'enroll',
    ]),
  );
  expect(parts.filter((part) => kindOfProblem(`${part}: broken`) === 'other')).toEqual([]);
});

test('lines of one kind are grouped', () => {
  const lines = ['enroll: a', 'flows: b', 'renewal: c'];
  expect(problemsByKind(lines)).toEqual([
    ['identity', ['enroll: a', 'renewal: c']],
    ['observing', ['flows: b']],
  ]);
});
