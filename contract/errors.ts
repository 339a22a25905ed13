import { z } from 'zod';

const statusOf = {
  bad_request: 400,
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** Of several codes with one status, the one that is met most. */
const usual: Readonly<Record<number, ErrorCode>> = { 400: 'validation_error', 403: 'forbidden' };

export const usualCodeOf = (status: number): ErrorCode =>
  usual[status] ??
  (Object.keys(statusOf) as ErrorCode[]).find((code) => statusOf[code] === status) ??
  'internal_error';

/** A refusal the caller is told about. `cause` stays inside; the message is public. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return statusOf[this.code];
  }
}

/** The caller is refused, whatever it sends; any other error says nothing about the caller. */
export const deniesAccess = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

export const textError = z.object({ error: z.string() });

export const codedError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

/** As gRPC's services tell of errors: what OTLP's clients expect. */
export const rpcError = z.object({ code: z.int(), message: z.string() });

const SHOWN_ISSUES = 5;

/** One line for a failed validation: where, and what was expected there. */
export function describeIssues(error: z.ZodError, root: string): string {
  const { issues } = error;
  const shown = issues
    .slice(0, SHOWN_ISSUES)
    .map((issue) => `${placeOf(issue.path, root)}: ${issue.message}`);
  if (issues.length > SHOWN_ISSUES) shown.push(`and ${issues.length - SHOWN_ISSUES} more`);
  return shown.join('; ');
}

function placeOf(path: readonly PropertyKey[], root: string): string {
  if (path.length === 0) return root;
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i ? '.' : ''}${String(key)}`))
    .join('');
}
