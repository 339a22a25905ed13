import protobuf from 'protobufjs/light.js';
import definitions from './definitions.json' with { type: 'json' };
import type { Signal, WireMetricsRequest } from './wire.ts';

const root = protobuf.Root.fromJSON(definitions);
const typeOf = (name: string) => root.lookupType(name);

const messages = { traces: 'Trace', logs: 'Logs', metrics: 'Metrics' } as const;
const serviceType = (signal: Signal, kind: 'Request' | 'Response') => {
  const name = messages[signal];
  return typeOf(
    `opentelemetry.proto.collector.${name.toLowerCase()}.v1.Export${name}Service${kind}`,
  );
};
const statusType = typeOf('google.rpc.Status');
const retryInfoType = typeOf('google.rpc.RetryInfo');

/** @throws RangeError or Error if the bytes are not such a message */
export const decodeMetrics = (bytes: Uint8Array): WireMetricsRequest =>
  serviceType('metrics', 'Request').decode(bytes) as WireMetricsRequest;

export const encodeResponse = (signal: Signal, response: object): Uint8Array => {
  const type = serviceType(signal, 'Response');
  return type.encode(type.fromObject(response)).finish();
};

export interface RpcStatus {
  code: number;
  message: string;
  /**
   * The delay after which the client may repeat the request. Without it, exporters drop the
   * rejected data.
   */
  retryAfterSeconds?: number | undefined;
}

export function encodeStatus({ retryAfterSeconds, ...status }: RpcStatus): Uint8Array {
  const details = retryAfterSeconds === undefined ? [] : [retryInfo(retryAfterSeconds)];
  return statusType.encode(statusType.fromObject({ ...status, details })).finish();
}

const retryInfo = (seconds: number) => ({
  typeUrl: 'type.googleapis.com/google.rpc.RetryInfo',
  value: retryInfoType.encode(retryInfoType.fromObject({ retryDelay: { seconds } })).finish(),
});
