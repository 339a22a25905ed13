import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import definitions from '#control-plane/otel/protocol/definitions.json' with { type: 'json' };
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { requestOf, spanId, type TestSpan } from './spans.ts';

const root = protobuf.Root.fromJSON(definitions);
const typeOf = (name: string) => root.lookupType(name);
const requestType = typeOf('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
const responseType = typeOf('opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse');
const statusType = typeOf('google.rpc.Status');

const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/x-protobuf';

const call: TestSpan = {
  id: 'call',
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', odd: 'x' },
};
const json = (spans: TestSpan[] = [call]) => JSON.stringify(requestOf(spans));

/** Encodes the same spans in protobuf, where ids are bytes. */
const binary = (spans: TestSpan[] = [call]): Buffer => {
  const request = requestOf(spans);
  for (const span of request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans ?? []) {
    const ids = span as unknown as Record<string, unknown>;
    ids.traceId = Buffer.from(span.traceId, 'hex');
    ids.spanId = Buffer.from(span.spanId, 'hex');
  }
  return Buffer.from(requestType.encode(requestType.fromObject(request)).finish());
};

describe.each(databases)('OTLP over HTTP on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const post = (
    body: string | Uint8Array,
    type: string | undefined,
    headers: Record<string, string> = { 'X-Svc-Key': API_KEY },
  ) =>
    fetch(`${service.urls.public}/api/v1/otel/v1/traces`, {
      method: 'POST',
      body: body as BodyInit,
      headers: { ...headers, ...(type && { 'Content-Type': type }) },
    });
  const runCount = async () => (await service.byOwner.runs.listRuns({ query: {} })).count;

  test.each([
    ['JSON', () => json(), JSON_TYPE, {}],
    ['JSON, said at length', () => json(), 'Application/JSON; charset=utf-8', {}],
    ['protobuf', () => binary(), PROTOBUF, {}],
    ['JSON in gzip', () => gzipSync(json()), JSON_TYPE, { 'Content-Encoding': 'gzip' }],
    ['protobuf in gzip', () => gzipSync(binary()), PROTOBUF, { 'Content-Encoding': 'gzip' }],
  ])('%s is accepted, with a response in the same format', async (_name, body, type, encoding) => {
    const before = await runCount();
    const response = await post(body(), type, { 'X-Svc-Key': API_KEY, ...encoding });
    const bytes = Buffer.from(await response.arrayBuffer());
    const expected = type === PROTOBUF ? '' : '{}';
    expect([response.status, response.headers.get('content-type'), bytes.toString()]).toEqual([
      200,
      type === PROTOBUF ? PROTOBUF : JSON_TYPE,
      expected,
    ]);
    expect(await runCount()).toBe(before + 1);
  });

  test.each([
    ['an empty request', () => '{}', JSON_TYPE],
    ['an empty request in protobuf', () => Buffer.alloc(0), PROTOBUF],
    ['a trace without any work of an AI agent', () => json([{ id: 'http' }]), JSON_TYPE],
  ])('%s creates no run', async (_name, body, type) => {
    const before = await runCount();
    expect((await post(body(), type)).status).toBe(200);
    expect(await runCount()).toBe(before);
  });

  const key = { 'X-Svc-Key': API_KEY };
  test.each([
    ['no JSON', '{', JSON_TYPE, key, 400, 3, /not JSON/],
    ['another JSON', '[]', JSON_TYPE, key, 400, 3, /body: /],
    [
      'a wrong type within',
      '{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}',
      JSON_TYPE,
      key,
      400,
      3,
      /resourceSpans\[0\]\.scopeSpans\[0\]\.spans/,
    ],
    ['no protobuf', 'hello', PROTOBUF, key, 400, 3, /not an OTLP trace request in protobuf/],
    ['cut protobuf', binary().subarray(0, 40), PROTOBUF, key, 400, 3, /in protobuf/],
    ['another type', 'x', 'text/plain', key, 415, 3, /application\/x-protobuf/],
    ['no type', Buffer.from('x'), undefined, key, 415, 3, /application\/json/],
    [
      'another encoding',
      '{}',
      JSON_TYPE,
      { ...key, 'Content-Encoding': 'br' },
      415,
      3,
      /uncompressed or gzip/,
    ],
    [
      'no gzip',
      '{}',
      JSON_TYPE,
      { ...key, 'Content-Encoding': 'gzip' },
      400,
      3,
      /could not be read/,
    ],
    ['too much', 'x'.repeat(11_000_000), JSON_TYPE, key, 413, 8, /larger than/],
    [
      'too much in gzip',
      gzipSync('x'.repeat(11_000_000)),
      PROTOBUF,
      { ...key, 'Content-Encoding': 'gzip' },
      413,
      8,
      /larger than/,
    ],
    ['no key', '{}', JSON_TYPE, {}, 401, 16, /API key is required/],
    ['no key in protobuf', Buffer.alloc(0), PROTOBUF, {}, 401, 16, /API key is required/],
  ])('%s is refused with a gRPC status', async (_name, body, type, headers, status, code, line) => {
    const response = await post(body, type, headers);
    const bytes = Buffer.from(await response.arrayBuffer());
    const decoded =
      response.headers.get('content-type') === PROTOBUF
        ? statusType.toObject(statusType.decode(bytes))
        : (JSON.parse(bytes.toString()) as object);
    expect([response.status, type === PROTOBUF]).toEqual([
      status,
      response.headers.get('content-type') === PROTOBUF,
    ]);
    expect(decoded).toEqual({ code, message: expect.stringMatching(line) as string });
  });

  test('a key without the permission to record is refused', async () => {
    const { key: other } = await service.byOwner.identity.createApiKey({
      body: { name: 'devices', permissions: ['enroll'] },
    });
    expect((await post('{}', JSON_TYPE, { 'X-Svc-Key': other })).status).toBe(403);
  });

  test('invalid spans are reported, and the others are stored', async () => {
    const before = await runCount();
    const request = requestOf([call, { id: 'bad' }, { id: 'worse' }]);
    for (const span of request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans?.slice(1) ?? [])
      span.startTimeUnixNano = '1';
    const { partialSuccess } = await service.byKey.otel.exportTraces({ body: request });
    expect(partialSuccess).toEqual({
      rejectedSpans: '2',
      errorMessage: '2 × the start is before the year 2000',
    });
    expect(await runCount()).toBe(before + 1);
    expect((await service.byOwner.otel.listRejectedSpans({ query: {} })).results).toMatchObject([
      { reason: 'the start is before the year 2000', scope: 'test', scope_version: '1', count: 2 },
    ]);
  });

  test.each<[string, object | null, string]>([
    ['a trace id', { traceId: undefined }, 'traceId: Invalid input: expected string'],
    ['a time', { endTimeUnixNano: 'never' }, 'endTimeUnixNano: expected nanoseconds since 1970'],
    ['a status', { status: { code: 'FAILED' } }, 'status.code: expected an OTLP status code'],
    [
      'a key of an attribute',
      { attributes: [{ key: 'a', value: {} }, { value: {} }] },
      'attributes[].key: Invalid input: expected string',
    ],
    ['anything of a span', null, 'the span: Invalid input: expected object'],
  ])('a span in JSON without %s does not affect the others', async (_name, change, reason) => {
    const before = await runCount();
    const request = requestOf([call, { id: 'bad' }]);
    const spans: unknown[] = request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans ?? [];
    spans[1] = change && { ...(spans[1] as object), ...change };
    const response = await post(JSON.stringify(request), JSON_TYPE);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedSpans: '1',
          errorMessage: expect.stringContaining(`1 × ${reason}`) as string,
        },
      },
    ]);
    expect(await runCount()).toBe(before + 1);
    const { results } = await service.byOwner.otel.listRejectedSpans({ query: { limit: 100 } });
    expect(results.filter((row) => row.reason.startsWith(reason))).toMatchObject([{ count: 1 }]);
  });

  test('an attribute without a value is ignored', async () => {
    const request = requestOf([call]);
    const [span] = request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans ?? [];
    span?.attributes?.push({ key: 'note' });
    expect(await (await post(JSON.stringify(request), JSON_TYPE)).json()).toEqual({});
  });

  test('enums in JSON may be names', async () => {
    const request = requestOf([call]);
    const span = request.resourceSpans?.[0]?.scopeSpans?.[0]?.spans?.[0];
    const status = { code: 'STATUS_CODE_ERROR', message: 'slow down' };
    Object.assign(span as object, { kind: 'SPAN_KIND_CLIENT', status });
    expect(await (await post(JSON.stringify(request), JSON_TYPE)).json()).toEqual({});
    const { results } = await service.byOwner.runs.listRuns({ query: {} });
    const found = results.find(({ trace_id }) => trace_id === span?.traceId);
    expect(found).toMatchObject({ status: 'error' });
  });

  test('rejections are reported in protobuf too', async () => {
    const bad = binary([{ ...call, from: -1e12 }]);
    const response = await post(bad, PROTOBUF);
    const decoded = responseType.decode(Buffer.from(await response.arrayBuffer()));
    expect(responseType.toObject(decoded, { longs: String })).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: '1 × the start is before the year 2000' },
    });
  });

  test('attributes that no rule maps can be looked up', async () => {
    const scope = { name: 'acme.instrumentation', version: '3.1' };
    const odd: TestSpan = {
      id: 'odd',
      attributes: {
        'gen_ai.operation.name': 'dream',
        'gen_ai.usage.tokens.input': 5,
        'acme.docs.4.title': 'x',
        'gen_ai.request.temperature': 0.5,
      },
      events: [{ name: 'gen_ai.dreamt', attributes: { 'gen_ai.dream.depth': 2, other: 1 } }],
    };
    const plain: TestSpan = { id: 'http', attributes: { 'acme.other': 1 } };
    for (let times = 0; times < 2; times += 1)
      await service.byKey.otel.exportTraces({ body: requestOf([odd, plain], { scope }) });
    const { results } = await service.byOwner.otel.listUnmappedAttributes({
      query: { limit: 100 },
    });
    const own = results.filter((row) => row.scope === scope.name);
    expect(own.map(({ name, count, scope_version }) => [name, count, scope_version])).toEqual([
      ['acme.docs.N.title', 2, '3.1'],
      ['event gen_ai.dreamt', 2, '3.1'],
      ['gen_ai.dream.depth', 2, '3.1'],
      ['gen_ai.operation.name = dream', 2, '3.1'],
      ['gen_ai.usage.tokens.input', 2, '3.1'],
    ]);
    const first = await service.byOwner.otel.listUnmappedAttributes({ query: { limit: 1 } });
    expect([first.results.length, first.count, first.next !== null]).toEqual([
      1,
      results.length,
      true,
    ]);
  });

  test('characters that not every database can store are removed from texts', async () => {
    const body = json([
      {
        id: 'x',
        name: 'a\0b',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'nul\0model',
          'gen_ai.prompt': 'half \ud800 of it',
        },
      },
    ]);
    expect((await post(body, JSON_TYPE)).status).toBe(200);
    const { results } = await service.byOwner.llmCalls.listLlmCalls({
      query: { model: 'nulmodel' },
    });
    expect(results).toMatchObject([{ prompt_preview: 'half \ufffd of it' }]);
  });

  test('a cycle of parent spans does not cause an endless loop', async () => {
    const loop = (id: string, parent: string): TestSpan => ({ ...call, id, parent });
    const response = await post(json([loop('a', 'b'), loop('b', 'a'), loop('c', 'c')]), JSON_TYPE);
    expect([response.status, spanId('a').length]).toEqual([200, 16]);
  });
});
