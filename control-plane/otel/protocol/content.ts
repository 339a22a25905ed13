import { ApiError } from '#contract/errors.ts';
import type { TraceResponse } from '#contract/otel.ts';
import type { Content } from '../../http/content.ts';
import { decodeJson } from './json.ts';
import type { WireRequest } from './wire.ts';

const PROTOBUF = 'application/x-protobuf';

/** Loaded on first use: it takes longer to load than anything else at startup. */
const loadProtobuf = () => import('./protobuf.ts');

/** @throws ApiError `bad_request` or `validation_error` if the body is not a trace request */
export async function readRequest({ type, bytes }: Content): Promise<WireRequest> {
  return type === PROTOBUF ? readProtobuf(bytes) : decodeJson(bytes);
}

/** Encodes the response like the request. */
export async function writeResponse(type: string, response: TraceResponse): Promise<Uint8Array> {
  if (type !== PROTOBUF) return Buffer.from(JSON.stringify(response));
  const { encodeResponse } = await loadProtobuf();
  return encodeResponse(response);
}

async function readProtobuf(bytes: Uint8Array): Promise<WireRequest> {
  const { decodeRequest } = await loadProtobuf();
  try {
    return decodeRequest(bytes);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ApiError(
      'bad_request',
      `the body is not an OTLP trace request in protobuf: ${reason}`,
    );
  }
}
