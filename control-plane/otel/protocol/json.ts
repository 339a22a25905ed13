import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import { otlpSpan, traceEnvelope } from '#contract/otel.ts';
import type { MalformedSpan, WireRequest, WireSpan } from './wire.ts';

/** @throws ApiError `bad_request` or `validation_error` if the body is not a trace request */
export function decodeJson(bytes: Uint8Array): WireRequest {
  const result = z.safeDecode(traceEnvelope, parse(bytes) as z.input<typeof traceEnvelope>);
  if (!result.success) throw new ApiError('validation_error', describeIssues(result.error, 'body'));
  const { resourceSpans } = result.data;
  return {
    resourceSpans: resourceSpans?.map(({ resource, scopeSpans }) => ({
      resource,
      scopeSpans: scopeSpans?.map(({ scope, spans }) => ({ scope, spans: spans?.map(checked) })),
    })),
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw new ApiError('bad_request', `the body is not JSON: ${(error as Error).message}`);
  }
}

function checked(span: unknown): WireSpan | MalformedSpan {
  const result = z.safeDecode(otlpSpan, span as z.input<typeof otlpSpan>);
  return result.success ? result.data : { malformed: firstIssue(result.error) };
}

/** The first issue, without list indices: rejections are counted by reason. */
const firstIssue = ({ issues }: z.ZodError): string =>
  describeIssues(new z.ZodError(issues.slice(0, 1)), 'the span').replaceAll(/\[\d+\]/g, '[]');
