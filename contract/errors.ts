import { z } from 'zod';
import { type ErrorCode, statusOf } from './error-codes.ts';
import { codeOf, type ErrorReason, errorReasons } from './error-reasons.ts';

/**
 * An error returned to the client. Its reason decides code and status. The message is public;
 * `cause` is only for the log.
 */
export class ApiError extends Error {
  readonly reason: ErrorReason;
  readonly details: Record<string, unknown>;

  constructor(
    reason: ErrorReason,
    message: string,
    details: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.reason = reason;
    this.details = details;
  }

  get code(): ErrorCode {
    return codeOf(this.reason);
  }

  get status(): number {
    return statusOf[this.code];
  }
}

/** Whether the caller itself is rejected (401 or 403), regardless of the request's content. */
export const deniesAccess = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

export const textError = z.object({ error: z.string() });

export const codedError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.looseObject({ reason: z.enum(errorReasons) }),
  }),
});

/** The error format of gRPC services, which OTLP clients expect. */
export const rpcError = z.object({ code: z.int(), message: z.string() });

const MAX_ISSUES = 5;

/** Describes a failed validation in one line: the location and the expected value of each issue. */
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

const INVALID_ARGUMENT = 3;
const codes: Partial<Record<ErrorCode, number>> = {
  not_found: 5,
  forbidden: 7,
  quota_exceeded: 8,
  payload_too_large: 8,
  rate_limited: 8,
  internal_error: 13,
  unavailable: 14,
  unauthorized: 16,
};

/** The canonical gRPC code of an error. */
export const rpcCodeOf = (code: ErrorCode): number => codes[code] ?? INVALID_ARGUMENT;
