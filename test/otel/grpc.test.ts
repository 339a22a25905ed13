import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import definitions from '#control-plane/otel/protocol/definitions.json' with { type: 'json' };
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { newTraceId, spanId } from './spans.ts';

const SERVICES = '/opentelemetry.proto.collector';
const TRACES = `${SERVICES}.trace.v1.TraceService/Export`;
const MB = 1024 * 1024;
const REQUEST = 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest';

const types = protobuf.Root.fromJSON(definitions);
const encode = (type: string, value: object): Uint8Array => {
  const message = types.lookupType(type);
  return message.encode(message.fromObject(value)).finish();
};

/** Creates a message with an LLM call of an agent. */
function exportOf(agent: string, trace = newTraceId()): Uint8Array {
  const span = {
    traceId: Buffer.from(trace, 'hex'),
    spanId: Buffer.from(spanId('call'), 'hex'),
    name: 'chat',
    startTimeUnixNano: '1772359200000000000',
    endTimeUnixNano: '1772359201000000000',
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.agent.name', value: { stringValue: agent } },
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
    ],
  };
  return encode(REQUEST, { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}

function framed(message: Uint8Array, isCompressed = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = Number(isCompressed);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

let service: TestControlPlane;
let client: ClientHttp2Session;
beforeAll(async () => {
  service = await startTestControlPlane('sqlite', { OTLP_GRPC_PORT: '0' });
  client = connect(service.urls.otlpGrpc as string);
});
afterAll(async () => {
  client.close();
  await service.stop();
});

/**
 * Sends one call; returns the headers of the response with the trailers, and the bytes of its
 * message.
 */
async function call(body: Uint8Array, headers: Record<string, string> = {}) {
  const stream = client.request({
    ':method': 'POST',
    ':path': TRACES,
    'content-type': 'application/grpc',
    te: 'trailers',
    'x-svc-key': API_KEY,
    ...headers,
  });
  const answer: Record<string, unknown> = {};
  const add = (fields: IncomingHttpHeaders): void => void Object.assign(answer, fields);
  stream.on('response', add).on('trailers', add);
  stream.end(body);
  const message = await buffer(stream);
  return { 'grpc-message': '', ...answer, message };
}

const runsOf = async (agent: string) =>
  (await service.byOwner.runs.listRuns({ query: { agent } })).count;

test.each([
  ['plain', {}, framed(exportOf('plain'))],
  ['gzip', { 'grpc-encoding': 'gzip' }, framed(gzipSync(exportOf('gzip')), true)],
  [
    'identity in a gzip stream',
    { 'grpc-encoding': 'gzip' },
    framed(exportOf('identity in a gzip stream')),
  ],
])('a message is recorded: %s', async (agent, headers, body) => {
  const answer = await call(body, headers);
  expect(answer).toMatchObject({
    ':status': 200,
    'content-type': 'application/grpc',
    'grpc-status': '0',
    message: framed(new Uint8Array()),
  });
  expect(await runsOf(agent)).toBe(1);
});

test('the response contains the number of rejected spans', async () => {
  const span = { traceId: Buffer.alloc(16), spanId: Buffer.alloc(8), name: 'x' };
  const body = encode(REQUEST, { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const { message, ...headers } = await call(framed(body));
  expect(headers).toMatchObject({ 'grpc-status': '0' });
  const type = types.lookupType(REQUEST.replace(/Request$/, 'Response'));
  expect(type.decode(message.subarray(5)).toJSON()).toMatchObject({
    partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('1 ×') },
  });
});

test.each<[string, Record<string, string>, Uint8Array, string, RegExp]>([
  ['no key', { 'x-svc-key': '' }, framed(exportOf('no')), '16', /an API key is required/],
  ['a wrong key', { 'x-svc-key': 'svc_sk_no' }, framed(exportOf('no')), '16', /unknown, expired/],
  ['no message', {}, new Uint8Array(), '3', /it contains no message/],
  [
    'half a message',
    {},
    framed(exportOf('no')).subarray(0, 20),
    '3',
    /more or less than one message/,
  ],
  [
    'two messages',
    {},
    Buffer.concat([framed(exportOf('no')), framed(exportOf('no'))]),
    '3',
    /more or less than one message/,
  ],
  [
    'no protobuf',
    {},
    framed(Buffer.from('{"a": 1}')),
    '3',
    /not an OTLP trace request in protobuf/,
  ],
  [
    'another encoding',
    { 'grpc-encoding': 'snappy' },
    framed(exportOf('no'), true),
    '3',
    /grpc-encoding "snappy": expected/,
  ],
  [
    'no gzip',
    { 'grpc-encoding': 'gzip' },
    framed(exportOf('no'), true),
    '3',
    /could not be read: incorrect header/,
  ],
  ['too large', {}, framed(Buffer.alloc(11 * MB)), '8', /larger than 10mb/],
  [
    'too large when decompressed',
    { 'grpc-encoding': 'gzip' },
    framed(gzipSync(Buffer.alloc(11 * MB)), true),
    '8',
    /larger than 10mb/,
  ],
  [
    'another service',
    { ':path': `${SERVICES}.profiles.v1.ProfilesService/Export` },
    framed(exportOf('no')),
    '12',
    /there is no .*ProfilesService/,
  ],
])('rejected with a status: %s', async (_what, headers, body, code, message) => {
  const answer = await call(body, headers);
  expect(answer).toMatchObject({ ':status': 200, 'grpc-status': code, message: Buffer.alloc(0) });
  expect(decodeURIComponent(answer['grpc-message'])).toMatch(message);
  expect(await runsOf('no')).toBe(0);
});

test('requests that are not gRPC are rejected by their content type', async () => {
  expect(await call(framed(exportOf('no')), { 'content-type': 'application/json' })).toMatchObject({
    ':status': 415,
  });
});

test('a busy service says when to retry a call', async () => {
  const { encodeStatus } = await import('#control-plane/otel/protocol/protobuf.ts');
  const bytes = encodeStatus({ code: 14, message: 'later', retryAfterSeconds: 3 });
  const status = types.lookupType('google.rpc.Status').decode(bytes).toJSON() as {
    details: { typeUrl: string; value: string }[];
  };
  expect(status).toMatchObject({ code: 14, message: 'later' });
  const [{ typeUrl, value } = { typeUrl: '', value: '' }] = status.details;
  expect(typeUrl).toBe('type.googleapis.com/google.rpc.RetryInfo');
  const info = types.lookupType('google.rpc.RetryInfo').decode(Buffer.from(value, 'base64'));
  expect(info.toJSON()).toEqual({ retryDelay: { seconds: '3' } });
});

test('stopping lets a call finish, and then closes its connection', async () => {
  const own = await startTestControlPlane('sqlite', { OTLP_GRPC_PORT: '0' });
  const session = connect(own.urls.otlpGrpc as string);
  const begin = () =>
    session.request({
      ':method': 'POST',
      ':path': TRACES,
      'content-type': 'application/grpc',
      'x-svc-key': API_KEY,
    });
  const late = begin();
  const body = framed(exportOf('late'));
  late.write(body.subarray(0, 10));
  // Once the second call is answered, the server has received the first.
  const early = begin();
  early.end(framed(exportOf('early')));
  await buffer(early);
  const trailers = once(late, 'trailers');
  const closed = once(session, 'close');
  const goaway = once(session, 'goaway');
  const stopped = own.stop();
  await goaway;
  late.end(body.subarray(10));
  late.resume();
  expect((await trailers)[0]).toMatchObject({ 'grpc-status': '0' });
  await stopped;
  await closed;
});
