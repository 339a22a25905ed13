import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import definitions from '#control-plane/otel/protocol/definitions.json' with { type: 'json' };
import { root } from '../support/processes.ts';

export type ExportedSignal = 'traces' | 'logs';

/** A request of a client as OTLP in JSON. */
export interface ExportedRequest {
  signal: ExportedSignal;
  body: object;
}

export interface Recorder {
  url: string;
  requests: ExportedRequest[];
  /** The responses of the control plane with a status other than 200. */
  failures: string[];
  stop(): Promise<void>;
}

const PATH = /\/v1\/(traces|logs)$/;

/** Starts a proxy between a client and the control plane that records the requests. */
export async function startRecorder(target: string): Promise<Recorder> {
  const requests: ExportedRequest[] = [];
  const failures: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const type = request.headers['content-type'] ?? '';
      const signal = PATH.exec(request.url ?? '')?.[1] as ExportedSignal | undefined;
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      if (signal) requests.push({ signal, body: readExport(signal, type, bytes) });
      const headers = Object.fromEntries(
        ['content-type', 'content-encoding', 'x-svc-key', 'authorization'].flatMap((name) => {
          const value = request.headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      );
      const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body });
      const bodyOfAnswer = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200)
        failures.push(`${request.url}: ${answer.status} ${bodyOfAnswer.toString()}`);
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
      });
      response.end(bodyOfAnswer);
    })().catch((error: unknown) => {
      failures.push(String(error));
      response.writeHead(502).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failures,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const messages = protobuf.Root.fromJSON(definitions);
const exportTypes = {
  traces: messages.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'),
  logs: messages.lookupType('opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest'),
};

/** Decodes the whole export, because a client may send data that the control plane ignores. */
const readExport = (signal: ExportedSignal, type: string, bytes: Buffer): object =>
  asJson(
    type.startsWith('application/json')
      ? (JSON.parse(bytes.toString()) as object)
      : exportTypes[signal].decode(bytes),
  );

const IDS = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Converts messages of protobuf to OTLP in JSON: ids in hexadecimal, other bytes in base64. */
const asJson = (request: object): object =>
  JSON.parse(
    JSON.stringify(request, (name, value: unknown) =>
      IDS.has(name) && typeof value === 'string' && !/^(?:[0-9a-f]{16}){0,2}$/.test(value)
        ? Buffer.from(value, 'base64').toString('hex')
        : value,
    ),
  ) as object;

/** Attributes of resources that identify the machine and not the client. */
const OF_MACHINE = /^(?:host|process|os|container|k8s|cloud|faas|device)\./;
const RECORDED_FROM = Date.UTC(2026, 2, 2, 10) * 1_000_000;

/** The requests to store: times begin in March 2026, and attributes of the machine are removed. */
export function keptRequests(requests: readonly ExportedRequest[]): ExportedRequest[] {
  const times = [...JSON.stringify(requests).matchAll(/"startTimeUnixNano":"(\d+)"/g)].map(
    ([, time]) => BigInt(time as string),
  );
  const first = times.reduce((least, time) => (time < least ? time : least), times[0] ?? 0n);
  const shift = BigInt(RECORDED_FROM) - first;
  const text = JSON.stringify(requests, (name, value: unknown) => {
    if (name.endsWith('TimeUnixNano') || name === 'timeUnixNano')
      return /^[1-9]\d*$/.test(String(value)) ? String(BigInt(String(value)) + shift) : value;
    if (name === 'resource') return withoutMachine(value as WireResource);
    return value;
  });
  return JSON.parse(
    text
      .replaceAll(root, '/project')
      .replaceAll(homedir(), '/home/user')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:1'),
  );
}

interface WireResource {
  attributes?: { key: string }[];
}

const withoutMachine = (resource: WireResource): WireResource => ({
  attributes: (resource.attributes ?? []).filter(({ key }) => !OF_MACHINE.test(key)),
});
