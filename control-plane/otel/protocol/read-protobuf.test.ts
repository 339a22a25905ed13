import protobuf from 'protobufjs/light.js';
import { describe, expect, test } from 'vitest';
import { readAttributes, type WireAttribute } from '../attributes.ts';
import { readSpans } from '../read-spans.ts';
import { readLogs } from '../logs/read-logs.ts';
import definitions from './definitions.json' with { type: 'json' };
import { readLogRecords, readTraces } from './read-protobuf.ts';

const root = protobuf.Root.fromJSON(definitions);

/** Encodes a request with protobufjs. */
function encoded(signal: 'trace' | 'logs', request: object): Uint8Array {
  const name = signal === 'trace' ? 'Trace' : 'Logs';
  const type = root.lookupType(
    `opentelemetry.proto.collector.${signal}.v1.Export${name}ServiceRequest`,
  );
  return type.encode(type.fromObject(request)).finish();
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const NOW = Date.UTC(2026, 0, 2);
const START = 1_767_225_600_123_456_789n;

const values: Record<string, object> = {
  text: { stringValue: 'Grüße, 世界 🙂' },
  long: { stringValue: 'x'.repeat(70_000) },
  empty: { stringValue: '' },
  yes: { boolValue: true },
  no: { boolValue: false },
  small: { intValue: 7 },
  large: { intValue: '123456789012' },
  negative: { intValue: '-5' },
  exact: { intValue: '9223372036854775807' },
  number: { doubleValue: 0.1 },
  endless: { doubleValue: 'Infinity' },
  bytes: { bytesValue: Buffer.from('hello') },
  list: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'two' }, {}] } },
  object: { kvlistValue: { values: [{ key: 'a', value: { intValue: 300 } }, { key: 'b' }] } },
  nothing: {},
};
const attributes = Object.entries(values).map(([key, value]) => ({ key, value }));

const id = (hex: string): Buffer => Buffer.from(hex, 'hex');
const span = {
  traceId: id(TRACE),
  spanId: id(SPAN),
  parentSpanId: id('0000000000000001'),
  traceState: 'skipped=1',
  flags: 0x300,
  name: 'chat',
  kind: 3,
  startTimeUnixNano: String(START),
  endTimeUnixNano: String(START + 5_000_000_000n),
  attributes,
  droppedAttributesCount: 300,
  events: [{ timeUnixNano: String(START), name: 'exception', attributes: attributes.slice(0, 1) }],
  links: [{ traceId: id(TRACE), spanId: id(SPAN) }],
  status: { code: 2, message: 'it failed' },
};
const traces = (of: object): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributes.slice(0, 1), droppedAttributesCount: 1 },
      scopeSpans: [{ scope: { name: 'scope', version: '1' }, spans: [of], schemaUrl: 'skipped' }],
      schemaUrl: 'skipped',
    },
  ],
});

describe('in protobuf', () => {
  test('a span has all members that are read', () => {
    expect(readSpans(readTraces(encoded('trace', traces(span))), NOW)).toMatchObject({
      rejected: [],
      spans: [
        {
          trace_id: TRACE,
          span_id: SPAN,
          parent_span_id: '0000000000000001',
          has_remote_parent: true,
          name: 'chat',
          started_at: Number(START / 1_000_000n),
          ended_at: Number(START / 1_000_000n) + 5000,
          position: Number(START / 1000n),
          error: 'it failed',
          attributes: {
            text: 'Grüße, 世界 🙂',
            long: 'x'.repeat(70_000),
            empty: '',
            yes: true,
            no: false,
            small: 7,
            large: 123_456_789_012,
            negative: -5,
            exact: '9223372036854775807',
            number: 0.1,
            endless: 'Infinity',
            bytes: 'aGVsbG8=',
            list: [1, 'two', null],
            object: { a: 300, b: null },
            nothing: null,
          },
          events: [{ name: 'exception', at: Number(START / 1_000_000n) }],
          resource: { text: 'Grüße, 世界 🙂' },
          scope: { name: 'scope', version: '1' },
        },
      ],
    });
  });

  test('an empty span has no ids', () => {
    const { rejected } = readSpans(readTraces(encoded('trace', traces({}))), NOW);
    expect(rejected).toMatchObject([{ reason: expect.stringContaining('the trace id') }]);
  });

  test('a log record has all members that are read', () => {
    const record = {
      timeUnixNano: String(START),
      observedTimeUnixNano: String(START + 1n),
      severityNumber: 9,
      severityText: 'INFO',
      eventName: 'event',
      body: values.list,
      attributes,
      flags: 1,
      traceId: id(TRACE),
      spanId: id(SPAN),
    };
    const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
    expect(readLogs(readLogRecords(encoded('logs', request)), NOW).records).toMatchObject([
      {
        trace_id: TRACE,
        span_id: SPAN,
        position: Number(START / 1000n),
        event: 'event',
        body: [1, 'two', null],
        attributes: readAttributes(attributes.filter(isPlain)),
      },
    ]);
  });

  test('a request without spans is empty', () => {
    expect(readTraces(new Uint8Array())).toEqual({ resourceSpans: [] });
  });

  test('a message that is cut off within a span is refused', () => {
    const bytes = encoded('trace', traces({ ...span, attributes: attributes.slice(2, 9) }));
    for (let length = 1; length < bytes.length; length += 1)
      expect(() => readTraces(bytes.subarray(0, length))).toThrow('a field is truncated');
  });

  test.each([
    ['a number without an end', Array.from({ length: 12 }, () => 0xff), 'a varint is too long'],
    ['a group', [0x0b], 'wire type 3'],
    ['a field with the number 0', [0x00, 0x00], 'number 0'],
  ])('%s is refused', (_name, bytes, reason) => {
    expect(() => readTraces(Uint8Array.from(bytes))).toThrow(reason);
  });

  test('a text that is not UTF-8 is refused, but a replacement character is accepted', () => {
    const bytes = encoded('trace', traces({ ...span, name: 'a\uFFFDb', attributes: [] }));
    expect(readSpans(readTraces(bytes), NOW).spans[0]?.name).toBe('a\uFFFDb');
    bytes.fill(0xff, bytes.indexOf(0xef), bytes.indexOf(0xef) + 1);
    expect(() => readTraces(bytes)).toThrow('a string is not valid UTF-8');
  });

  test('a body of empty spans is refused before it fills the memory', () => {
    const spans = Buffer.alloc(4_000_000);
    for (let at = 0; at < spans.length; at += 2) spans[at] = 18;
    const sized = (tag: number, value: Buffer): Buffer => {
      const length = [];
      for (let left = value.length; left > 0; left >>= 7)
        length.push((left & 127) | (left > 127 ? 128 : 0));
      return Buffer.concat([Buffer.from([tag, ...length]), value]);
    };
    expect(() => readTraces(sized(10, sized(18, spans)))).toThrow('too many messages');
  });

  test('values that are nested too deeply are refused', () => {
    // This is a value in a list, in a list, …, in an attribute, in a span, and so on.
    let bytes: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 60; depth += 1) bytes = field(42, field(10, bytes));
    for (const tag of [18, 74, 18, 18, 10]) bytes = field(tag, bytes);
    expect(() => readTraces(bytes)).toThrow('nested too deep');
  });
});

function field(tag: number, value: Buffer): Buffer {
  const length = [(value.length & 127) | 128, value.length >> 7];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

/** Whether a value is the same in JSON, where bytes are text. */
const isPlain = ({ value }: WireAttribute): boolean => value !== values.bytes;
