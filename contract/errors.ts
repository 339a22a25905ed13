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

/** The most common code of each status that has several. */
const usual: Readonly<Record<number, ErrorCode>> = { 400: 'validation_error', 403: 'forbidden' };

export const usualCodeOf = (status: number): ErrorCode =>
  usual[status] ??
  (Object.keys(statusOf) as ErrorCode[]).find((code) => statusOf[code] === status) ??
  'internal_error';

/** An error returned to the client. The message is public; `cause` is only for the log. */
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

/** Is the caller itself rejected (401 or 403), regardless of the request's content? */
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

/** The error shape of gRPC services, as OTLP clients expect it. */
export const rpcError = z.object({ code: z.int(), message: z.string() });

const MAX_ISSUES = 5;

/** One line for a failed validation: the location and the expected value of each issue. */
export function describeIssues(error: z.ZodError, root: string): string {
  const { issues } = error;
  const described = issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${pathText(issue.path, root)}: ${issue.message}`);
  if (issues.length > MAX_ISSUES) described.push(`and ${issues.length - MAX_ISSUES} more`);
  return described.join('; ');
}

function pathText(path: readonly PropertyKey[], root: string): string {
  if (path.length === 0) return root;
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i ? '.' : ''}${String(key)}`))
    .join('');
}
