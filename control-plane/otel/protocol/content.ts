import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import { traceRequest, type TraceResponse } from '#contract/otel.ts';
import type { Content } from '../../http/content.ts';
import { decodeRequest, encodeResponse } from './protobuf.ts';
import type { WireRequest } from './wire.ts';

/** @throws ApiError `bad_request` or `validation_error` when the body is no trace request */
export function readRequest({ type, bytes }: Content): WireRequest {
  return type === 'application/x-protobuf' ? readProtobuf(bytes) : readJson(bytes);
}

/** The answer, encoded as the request was. */
export const writeResponse = (type: string, response: TraceResponse): Uint8Array =>
  type === 'application/x-protobuf'
    ? encodeResponse(response)
    : Buffer.from(JSON.stringify(response));

function readProtobuf(bytes: Uint8Array): WireRequest {
  try {
    return decodeRequest(bytes);
  } catch (error) {
    const why = (error as Error).message;
    throw new ApiError('bad_request', `the body is no OTLP trace request in protobuf: ${why}`);
  }
}

function readJson(bytes: Uint8Array): WireRequest {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw new ApiError('bad_request', `the body is not JSON: ${(error as Error).message}`);
  }
  const result = z.safeDecode(traceRequest, body as z.input<typeof traceRequest>);
  if (result.success) return result.data;
  throw new ApiError('validation_error', describeIssues(result.error, 'body'));
}
