import { expect, test } from 'vitest';
import { requestOf, spanId, START, type TestSpan } from '#test/otel/spans.ts';
import { readSpans } from './read-spans.ts';
import { DAY_MS } from '#lib/time-units.ts';

const TRACE = '0AF7651916CD43DD8448EB211C80319C';
const NOW = START + 60_000;

const read = (span: Partial<TestSpan>, change: object = {}) => {
  const request = requestOf([{ id: 'a', ...span }], {
    trace: TRACE,
    resource: { 'service.name': 'svc' },
  });
  Object.assign(request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans?.[0] as object, change);
  return readSpans(request, NOW);
};

test('a span includes its resource and scope', () => {
  const { spans, rejected } = read({
    parent: 'p',
    from: 1000,
    to: 2500,
    attributes: { n: 1 },
    events: [{ name: 'e', attributes: { m: 'x' } }],
    flags: 0x301,
  });
  expect({ spans, rejected }).toEqual({
    rejected: [],
    spans: [
      {
        trace_id: TRACE.toLowerCase(),
        span_id: spanId('a'),
        parent_span_id: spanId('p'),
        has_remote_parent: true,
        name: 'a',
        started_at: START + 1000,
        ended_at: START + 2500,
        position: (START + 1000) * 1000,
        error: null,
        attributes: { n: 1 },
        events: [{ name: 'e', at: START + 2500, attributes: { m: 'x' } }],
        resource: { 'service.name': 'svc' },
        scope: { name: 'test', version: '1' },
      },
    ],
  });
});

test.each([
  ['a trace id of another length', { traceId: 'abc' }, /trace id/],
  ['a trace id that is no hexadecimal', { traceId: 'x'.repeat(32) }, /trace id/],
  ['a trace id of zeros', { traceId: '0'.repeat(32) }, /trace id/],
  ['a span id of zeros', { spanId: '0'.repeat(16) }, /span id/],
  ['no start', { startTimeUnixNano: undefined }, /before the year 2000/],
  ['a start long ago', { startTimeUnixNano: '5' }, /before the year 2000/],
  ['an end far away', { endTimeUnixNano: `${NOW + DAY_MS + 1}000000` }, /future/],
  ['an end beyond all numbers', { endTimeUnixNano: 1e300 }, /future/],
])('%s is rejected', (_name, change, reason) => {
  expect(read({}, change)).toEqual({
    spans: [],
    rejected: [
      {
        reason: expect.stringMatching(reason) as string,
        scope: { name: 'test', version: '1' },
        trace_id: 'traceId' in change ? null : TRACE.toLowerCase(),
      },
    ],
  });
});

test.each([
  ['an end before the start', { endTimeUnixNano: '5' }],
  ['no end', { endTimeUnixNano: null }],
])('%s has duration 0', (_name, change) => {
  expect(read({ from: 1000 }, change).spans).toMatchObject([{ ended_at: START + 1000 }]);
});

test.each<[string, Partial<TestSpan>, object, string | null]>([
  ['says so', { error: 'boom' }, {}, 'boom'],
  ['says so without a word', { error: '' }, {}, 'failed'],
  [
    'says so beside an exception',
    { error: '', events: [{ name: 'exception', attributes: { 'exception.message': 'bad' } }] },
    {},
    'bad',
  ],
  [
    'has an exception',
    { events: [{ name: 'exception', attributes: { 'exception.type': 'TypeError' } }] },
    {},
    'TypeError',
  ],
  [
    'has a client exception',
    {
      events: [
        {
          name: 'gen_ai.client.operation.exception',
          attributes: { 'exception.type': 'RateLimit', 'exception.message': 'slow down' },
        },
      ],
    },
    {},
    'slow down',
  ],
  ['has an error type', { attributes: { 'error.type': 'timeout' } }, {}, 'timeout'],
  [
    'has a handled exception',
    { events: [{ name: 'exception', attributes: {} }] },
    { status: { code: 1 } },
    null,
  ],
  ['says so by name', {}, { status: { code: 'STATUS_CODE_ERROR', message: 'bad' } }, 'bad'],
  [
    'says by name that it is fine',
    { attributes: { 'error.type': 'timeout' } },
    { status: { code: 'STATUS_CODE_OK' } },
    null,
  ],
  ['says nothing', {}, { status: {} }, null],
])('a span that %s', (_name, span, change, error) => {
  expect(read(span, change).spans).toMatchObject([{ error }]);
});

test.each([
  {},
  { resourceSpans: null },
  { resourceSpans: [{}] },
  { resourceSpans: [{ scopeSpans: [{}] }] },
])('%j contains no spans', (request) => {
  expect(readSpans(request, NOW)).toEqual({ spans: [], rejected: [] });
});
