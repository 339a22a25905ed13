import { z } from 'zod';
import { ResponseError } from '#contract/client.ts';
import { describeIssues } from '#contract/errors.ts';
import { errnoOf } from '../state/atomic-file.ts';

/** The reason why a request to the control plane failed. */
export interface RequestFailure {
  /**
   * The kind of failure: no response, a refusal, a response that violates the contract, or a
   * pending decision of an administrator.
   */
  errorClass: 'unreachable' | 'refusal' | 'answer' | 'waiting';
  /** The error, its cause and the server, in one line. */
  line: string;
  /** The HTTP status, if there was a response. */
  status: number | null;
  /** The delay that the control plane has requested, if any. */
  retryAfterMs: number | null;
  /** Whether the control plane refused the certificate of this device. */
  identityRefused: boolean;
}

/** A response that does not match the request. The message is one line. */
export class UnexpectedResponse extends Error {}

/** The TLS alerts with which a server rejects a client certificate. */
const identityAlert =
  /ALERT_(BAD_CERTIFICATE|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_REQUIRED)$/;

/** OpenSSL's error codes for a server certificate that fails verification. */
const certificateFailure =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/;

/**
 * Node's hint for its own users, which does not apply here because the system's roots are trusted.
 */
const nodeHint = /; if the root CA is installed locally.*$/;

const notTls =
  /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL))$/;

/** Describes a failed request. `origin` is the server of the request, like https://host:port. */
export function describeFailure(error: unknown, origin: string): RequestFailure {
  if (error instanceof ResponseError) return describeRefusal(error, origin);
  const host = origin.replace(/^\w+:\/\//, '');
  const code = errnoOf(error) ?? '';
  return {
    errorClass: isInvalidResponse(error) ? 'answer' : 'unreachable',
    line: messageFor(error, code, host),
    status: null,
    retryAfterMs: null,
    identityRefused: identityAlert.test(code),
  };
}

function describeRefusal(error: ResponseError, origin: string): RequestFailure {
  const code = error.code ? ` ${error.code}` : '';
  return {
    errorClass: error.status === 202 ? 'waiting' : 'refusal',
    line: `${error.status}${code}: ${error.message} at ${origin}`,
    status: error.status,
    retryAfterMs: error.retryAfter === undefined ? null : error.retryAfter * 1000,
    identityRefused: error.status === 401,
  };
}

function isInvalidResponse(error: unknown): boolean {
  return [z.ZodError, SyntaxError, UnexpectedResponse].some((kind) => error instanceof kind);
}

function messageFor(error: unknown, code: string, host: string): string {
  if (error instanceof z.ZodError)
    return `${host} answered ${describeIssues(error, 'something else')}`;
  if (error instanceof SyntaxError) return `${host} answered something that is not JSON`;
  if (error instanceof UnexpectedResponse) return `${host} answered ${error.message}`;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'TimeoutError') return `cannot reach ${host}: no answer in time`;
  if (identityAlert.test(code)) return `${host} refused this device's certificate (${code})`;
  if (certificateFailure.test(code))
    return `certificate of ${host} refused: ${message.replace(nodeHint, '')} (${code})`;

  if (notTls.test(code)) return `${host} does not speak TLS as expected (${code})`;
  return `cannot reach ${host}: ${code || message}`;
}
