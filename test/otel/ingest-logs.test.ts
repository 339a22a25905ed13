import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import definitions from '#control-plane/otel/protocol/definitions.json' with { type: 'json' };
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { loadSamples, sessionOf, type Signal } from './samples.ts';

const root = protobuf.Root.fromJSON(definitions);
const services = { traces: 'Trace', logs: 'Logs', metrics: 'Metrics' };
const typeOf = (signal: Signal, kind: 'Request' | 'Response') =>
  root.lookupType(
    `opentelemetry.proto.collector.${services[signal].toLowerCase()}.v1.Export${services[signal]}Service${kind}`,
  );
const statusType = root.lookupType('google.rpc.Status');

const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/x-protobuf';

/** Encodes a request in protobuf, where ids are bytes. */
function binary(signal: Signal, body: object): Buffer {
  const request = JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    ['traceId', 'spanId'].includes(name) ? [...Buffer.from(value as string, 'hex')] : value,
  ) as object;
  const type = typeOf(signal, 'Request');
  return Buffer.from(type.encode(type.fromObject(request)).finish());
}

describe.each(databases)('OTLP logs and metrics over HTTP, on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const post = (
    signal: Signal,
    body: string | Uint8Array,
    type: string,
    headers: Record<string, string> = { Authorization: `Bearer ${API_KEY}` },
  ) =>
    fetch(`${service.urls.public}/api/v1/otel/v1/${signal}`, {
      method: 'POST',
      body: body as BodyInit,
      headers: { 'Content-Type': type, ...headers },
    });

  test.each([
    ['claude-code-with-traces-logs', PROTOBUF, 'identity', 3, 485],
    ['claude-code-logs', PROTOBUF, 'gzip', 3, 485],
    ['codex-logs', PROTOBUF, 'identity', 2, 300],
    ['gemini-cli-logs', JSON_TYPE, 'gzip', 2, 300],
  ])('%s as %s, %s, is one run', async (name, type, encoding, calls, tokens) => {
    const samples = await loadSamples(name);
    for (const { signal, body } of samples) {
      const bytes = type === PROTOBUF ? binary(signal, body) : Buffer.from(JSON.stringify(body));
      const response = await post(signal, encoding === 'gzip' ? gzipSync(bytes) : bytes, type, {
        'X-Svc-Key': API_KEY,
        'Content-Encoding': encoding,
      });
      expect([
        response.status,
        response.headers.get('content-type'),
        await response.text(),
      ]).toEqual([200, type, type === PROTOBUF ? '' : '{}']);
    }
    const { results } = await service.byOwner.runs.listRuns({ query: { limit: 100 } });
    const runs = results.filter(({ session_id }) => session_id === sessionOf(samples));
    expect(runs).toMatchObject([{ llm_call_count: calls, tokens }]);
  });

  test('metrics are also accepted as protobuf', async () => {
    const [sample] = await loadSamples('claude-code-metrics');
    const response = await post('metrics', binary('metrics', sample?.body ?? {}), PROTOBUF);
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  const key = { 'X-Svc-Key': API_KEY };
  const cases: [string, string | Buffer, string, Record<string, string>, number, number][] = [
    ['no JSON', '{', JSON_TYPE, key, 400, 3],
    ['another JSON', '[]', JSON_TYPE, key, 400, 3],
    ['no protobuf', 'hello', PROTOBUF, key, 400, 3],
    ['another type', 'x', 'text/plain', key, 415, 3],
    ['another encoding', '{}', JSON_TYPE, { ...key, 'Content-Encoding': 'br' }, 415, 3],
    ['too much', 'x'.repeat(11_000_000), JSON_TYPE, key, 413, 8],
    ['no key', Buffer.alloc(0), PROTOBUF, {}, 401, 16],
  ];
  test.each(
    cases.flatMap(([name, ...rest]) =>
      (['logs', 'metrics'] as const).map((signal) => [name, signal, ...rest] as const),
    ),
  )(
    '%s is rejected for %s with a gRPC status',
    async (_name, signal, body, type, headers, status, code) => {
      const response = await post(signal, body, type, headers);
      const bytes = Buffer.from(await response.arrayBuffer());
      const decoded =
        type === PROTOBUF
          ? statusType.toObject(statusType.decode(bytes))
          : (JSON.parse(bytes.toString()) as object);
      expect([response.status, decoded]).toMatchObject([status, { code }]);
    },
  );

  test('a key without the permission to record is refused', async () => {
    const { key: other } = await service.byOwner.identity.createApiKey({
      body: { name: 'devices', permissions: ['enroll'] },
    });
    for (const signal of ['logs', 'metrics'] as const)
      expect((await post(signal, '{}', JSON_TYPE, { 'X-Svc-Key': other })).status).toBe(403);
  });

  const recordsOf = (...logRecords: object[]) => ({
    resourceLogs: [{ scopeLogs: [{ scope: { name: 'acme' }, logRecords }] }],
  });
  const now = () => `${BigInt(Date.now()) * 1_000_000n}`;

  test('unreadable records are reported, and the others are stored', async () => {
    const good = { timeUnixNano: now(), eventName: 'acme.good' };
    const result = await service.byKey.otel.exportLogs({
      body: recordsOf(
        good,
        { timeUnixNano: '1', eventName: 'acme.old' },
        { ...good, timeUnixNano: 'never' },
        { ...good, attributes: [{ value: {} }] },
        { ...good, timeUnixNano: '9999999999000000000' },
      ),
    });
    expect(result.partialSuccess?.rejectedLogRecords).toBe('4');
    expect(result.partialSuccess?.errorMessage.split('; ').toSorted()).toEqual([
      '1 × attributes[].key: Invalid input: expected string, received undefined',
      '1 × the end is more than a day in the future',
      '1 × the start is before the year 2000',
      '1 × timeUnixNano: expected nanoseconds since 1970',
    ]);
    const { results } = await service.byOwner.otel.listUnmappedAttributes({ query: {} });
    expect(results).toMatchObject([{ name: 'event acme.good', scope: 'acme', count: 1 }]);
  });

  test('rejections are reported in protobuf too', async () => {
    const response = await post('logs', binary('logs', recordsOf({ timeUnixNano: 1 })), PROTOBUF);
    const type = typeOf('logs', 'Response');
    const decoded = type.decode(Buffer.from(await response.arrayBuffer()));
    expect(type.toObject(decoded, { longs: String })).toEqual({
      partialSuccess: {
        rejectedLogRecords: '1',
        errorMessage: '1 × the start is before the year 2000',
      },
    });
  });

  test('log lines of other programs create no run, and no unmapped name', async () => {
    const runs = await service.byOwner.runs.listRuns({ query: {} });
    const before = await service.byOwner.otel.listUnmappedAttributes({ query: {} });
    const line = { timeUnixNano: now(), body: { stringValue: 'started' } };
    // The name that Rust's `tracing` gives to events without one.
    const ofRust = { ...line, eventName: 'event crates/acme/src/main.rs:12' };
    await service.byKey.otel.exportLogs({ body: recordsOf(line, { body: line.body }, ofRust) });
    const after = await service.byOwner.otel.listUnmappedAttributes({ query: {} });
    expect(after.results).toEqual(before.results);
    expect((await service.byOwner.runs.listRuns({ query: {} })).count).toBe(runs.count);
  });

  test('metrics without a name are rejected, and their data points counted', async () => {
    const metrics = [
      { name: '', sum: { dataPoints: [{}, {}] } },
      { name: 'acme.count', sum: { dataPoints: [{}] } },
    ];
    const scopeMetrics = [{ scope: { name: 'acme' }, metrics }];
    const body = { resourceMetrics: [{ scopeMetrics }] };
    expect(await service.byKey.otel.exportMetrics({ body })).toMatchObject({
      partialSuccess: { rejectedDataPoints: '1' },
    });
    const response = await post('metrics', binary('metrics', body), PROTOBUF);
    const type = typeOf('metrics', 'Response');
    const decoded = type.toObject(type.decode(Buffer.from(await response.arrayBuffer())), {
      longs: String,
    });
    expect(decoded).toEqual({
      partialSuccess: { rejectedDataPoints: '2', errorMessage: '1 × the metric has no name' },
    });
    const { results } = await service.byOwner.otel.listReceivedMetrics({ query: { limit: 100 } });
    expect(results.filter(({ scope }) => scope === 'acme')).toMatchObject([
      { name: 'acme.count', count: 2 },
    ]);
  });
});
