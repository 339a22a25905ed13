/** The status of each code. */
export const statusOf = {
  bad_request: 400,
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
} as const;

/** All statuses in ascending order. */
export const statuses = [...new Set(Object.values(statusOf))];

export type ErrorCode = keyof typeof statusOf;

/** The most common code of each status that has several codes. */
const usual: Readonly<Record<number, ErrorCode>> = { 400: 'validation_error', 403: 'forbidden' };

export const usualCodeOf = (status: number): ErrorCode =>
  usual[status] ??
  (Object.keys(statusOf) as ErrorCode[]).find((code) => statusOf[code] === status) ??
  'internal_error';

/**
 * The response header with the reason. It is part of every error, because only one of the three
 * formats of error bodies has a field for it.
 */
export const REASON_HEADER = 'X-Error-Reason';
