import { expect, test } from 'vitest';
import { compare, type ReadRun } from './compare.ts';
import type { ExportedRequest } from './recording.ts';
import { scenario } from './scenario.ts';

const truth = { calls: [], turns: 2 };
const refused = {
  models: ['gpt-4o'],
  usage: null,
  tool: null,
  text: '',
  refused: true,
};

/** An export with the root span of each trace. */
const exportOf = (traces: readonly string[]): ExportedRequest[] => {
  const spans = traces.map((traceId) => ({ traceId, spanId: traceId, name: 'run' }));
  return [{ signal: 'traces', body: { resourceSpans: [{ scopeSpans: [{ spans }] }] } }];
};

const run = (trace_id: string, more: object = {}): ReadRun => {
  const empty = { spans: [], llm_calls: [], tags: [], metadata: {} };
  return { trace_id, status: 'success', error: null, ...empty, ...more } as unknown as ReadRun;
};

test.each([
  ['each turn is a run', ['a', 'b'], ['a', 'b'], 'yes'],
  ['a trace that is no turn became a run', ['a', 'b', 'c'], ['a', 'b', 'c'], 'wrong'],
  ['a turn has no run', ['a', 'b'], ['a'], 'wrong'],
  ['a trace that is no turn has no run', ['a', 'b', 'c'], ['a', 'b'], 'yes'],
  ['a turn was not exported', ['a'], ['a'], 'never'],
  ['a turn was not exported, and the other has no run', ['a'], [], 'wrong'],
])('runs: %s', (_title, traces, runs, cell) => {
  const { run: found } = compare(
    truth,
    runs.map((trace) => run(trace)),
    exportOf(traces),
  );
  expect(found.split(':')[0]).toBe(cell);
});

const failed = { status: 'error', error: `400 ${scenario.refusal}` };
test.each([
  ['the rejected turn failed', [{}, failed], 'yes'],
  ['both turns failed', [failed, failed], 'wrong'],
  ['only a span failed', [{}, { spans: [{ status: 'error' }] }], 'wrong'],
  ['it failed for another reason', [{}, { status: 'error', error: 'timeout' }], 'wrong'],
])('errors: %s', (_title, runs, cell) => {
  const { errors } = compare(
    { calls: [refused], turns: 2 },
    runs.map((more, index) => run(`t${index}`, more)),
    [...exportOf(['t0', 't1']), { signal: 'logs', body: { text: scenario.refusal } }],
  );
  expect(errors.split(':')[0]).toBe(cell);
});

test('errors: a turn whose root span was not exported fails with its spans', () => {
  const requests: ExportedRequest[] = [
    ...exportOf(['t0']),
    {
      signal: 'traces',
      body: {
        resourceSpans: [
          {
            scopeSpans: [
              { spans: [{ traceId: 't1', spanId: 's', parentSpanId: 'p', status: { code: 2 } }] },
            ],
          },
        ],
      },
    },
  ];
  const active = run('t1', { status: 'running', spans: [{ status: 'error' }] });
  const { errors } = compare({ calls: [refused], turns: 2 }, [run('t0'), active], requests);
  expect(errors).toBe('yes');
});
