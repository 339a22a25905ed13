import protobuf from 'protobufjs/light.js';
import definitions from './definitions.json' with { type: 'json' };
import type { TraceResponse } from '#contract/otel.ts';
import type { WireRequest } from './wire.ts';

const root = protobuf.Root.fromJSON(definitions);
const typeOf = (name: string) => root.lookupType(name);

const requestType = typeOf('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');
const responseType = typeOf('opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse');
const statusType = typeOf('google.rpc.Status');

/** @throws RangeError or Error if the bytes are not such a message */
export const decodeRequest = (bytes: Uint8Array): WireRequest =>
  requestType.decode(bytes) as WireRequest;

export const encodeResponse = (response: TraceResponse): Uint8Array =>
  responseType.encode(responseType.fromObject(response)).finish();

export const encodeStatus = (status: { code: number; message: string }): Uint8Array =>
  statusType.encode(statusType.fromObject(status)).finish();
