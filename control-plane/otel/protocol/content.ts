import { ApiError } from '#contract/errors.ts';
import { loadOnce } from '../../lib/memoize.ts';
import type { Content } from '../../http/content.ts';
import { decodeJson } from './json.ts';
import { readLogRecords, readTraces } from './read-protobuf.ts';
import type { Signal, WireRequests } from './wire.ts';

const PROTOBUF = 'application/x-protobuf';

/** Loads protobufjs on first use, because that takes longer than anything else at startup. */
const loadProtobuf = loadOnce(() => import('./protobuf.ts'));

const names = { traces: 'trace', logs: 'logs', metrics: 'metrics' } as const;

/** @throws ApiError `bad_request` or `validation_error` if the body is not such a request */
export async function readRequest<S extends Signal>(
  signal: S,
  { type, bytes }: Content,
): Promise<WireRequests[S]> {
  return type === PROTOBUF ? readProtobuf(signal, bytes) : decodeJson(signal, bytes);
}

/** Encodes the response like the request. */
export async function writeResponse(
  signal: Signal,
  type: string,
  response: object,
): Promise<Uint8Array> {
  if (type !== PROTOBUF) return Buffer.from(JSON.stringify(response));
  const { encodeResponse } = await loadProtobuf();
  return encodeResponse(signal, response);
}

/** The protobuf decoders. protobufjs is not loaded for the most frequent signals. */
const decoders: {
  [S in Signal]: (bytes: Uint8Array) => WireRequests[S] | Promise<WireRequests[S]>;
} = {
  traces: readTraces,
  logs: readLogRecords,
  metrics: async (bytes) => (await loadProtobuf()).decodeMetrics(bytes),
};

async function readProtobuf<S extends Signal>(
  signal: S,
  bytes: Uint8Array,
): Promise<WireRequests[S]> {
  try {
    return await decoders[signal](bytes);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ApiError(
      'malformed_request',
      `the body is not an OTLP ${names[signal]} request in protobuf: ${reason}`,
    );
  }
}
