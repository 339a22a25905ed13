import type { ErrorCode } from './errors.ts';

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
