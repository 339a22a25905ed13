import { expect, test } from 'vitest';
import { refusalFields } from '../link/heartbeat.ts';
import { captureOf } from '../testing/control-plane.ts';
import { logHourly, refusalsToReport } from './notices.ts';

const HOST = 'api.openai.com';
const refusal = (process: string, path: string | null, since: number) => ({
  process,
  path,
  host: HOST,
  since,
});

test('each refusal is reported once with its app and its start, without paths', () => {
  const claude = '/opt/lib/node_modules/@anthropic-ai/claude-code/cli';
  expect(
    refusalsToReport([
      refusal('node', '/usr/bin/node', 1),
      refusal('node', '/opt/node/bin/node', 2),
      refusal('claude', claude, 3),
    ]),
  ).toEqual([
    { process: 'node', app_id: null, host: HOST, since: 1 },
    { process: 'claude', app_id: 'claude-code', host: HOST, since: 3 },
  ]);
});

test('the latest are reported if there are too many', () => {
  const many = Array.from({ length: 60 }, (_, i) => refusal(`p${i}`, null, i));
  const reported = refusalsToReport(many);
  expect([reported.length, reported[0]?.process, reported.at(-1)?.process]).toEqual([
    50,
    'p10',
    'p59',
  ]);
});

test('refusals are sent only to a control plane that supports masking', () => {
  const one = { process: 'node', app_id: null, host: HOST, since: 0 };
  const config = captureOf(1, HOST);
  const masking = { keys: [], patterns: [] };
  expect(refusalFields({ ...config, masking }, [one])).toEqual({
    certificate_refusals: [{ ...one, since: '1970-01-01T00:00:00.000Z' }],
  });
  expect(refusalFields({ ...config, masking }, [])).toEqual({});
  expect(refusalFields(config, [one])).toEqual({});
  expect(refusalFields(null, [one])).toEqual({});
});

test('a line is logged again after an hour only', () => {
  const lines: string[] = [];
  let now = 0;
  const log = logHourly(
    (line) => lines.push(line),
    () => now,
  );
  for (const line of ['a', 'a', 'b']) log(line);
  expect(lines).toEqual(['a', 'b']);
  now = 3_600_000;
  log('a');
  expect(lines).toEqual(['a', 'b', 'a']);
});
