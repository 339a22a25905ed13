import { z } from 'zod';
import { ResponseError } from '#contract/client.ts';
import { describeIssues } from '#contract/errors.ts';
import { errnoOf } from './atomic-file.ts';

/** Why the service did not do what it was asked. */
export interface ServiceFailure {
  /**
   * No response, a refusal, a response that violates the contract, or a decision of an administrator
   * is pending.
   */
  kind: 'unreachable' | 'refusal' | 'answer' | 'waiting';
  /** What, where and why, in one line. */
  line: string;
  /** HTTP status, where there was an answer. */
  status: number | null;
  /** When the service wants to be asked again, where it said so. */
  retryAfterMs: number | null;
  /** Did the service refuse the certificate of this device? */
  identityRefused: boolean;
}

/** The service answered, but not what it was asked for. One line. */
export class UnexpectedAnswer extends Error {}

/** A server that does not take a client certificate says so with one of these TLS alerts. */
const identityAlert =
  /ALERT_(BAD_CERTIFICATE|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_REQUIRED)$/;

/** What OpenSSL calls the ways in which a server's certificate can fail. */
const certificateFailure =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** Node's advice for its own users; the system's roots are trusted here. */
const nodeHint = /; if the root CA is installed locally.*$/;

const notTls =
  /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL))$/;

/** `origin` is what was asked, like https://host:port. */
export function describeFailure(error: unknown, origin: string): ServiceFailure {
  if (error instanceof ResponseError) return describeRefusal(error, origin);
  const host = origin.replace(/^\w+:\/\//, '');
  const code = errnoOf(error) ?? '';
  return {
    kind: isAnswer(error) ? 'answer' : 'unreachable',
    line: lineFor(error, code, host),
    status: null,
    retryAfterMs: null,
    identityRefused: identityAlert.test(code),
  };
}

function describeRefusal(error: ResponseError, origin: string): ServiceFailure {
  const code = error.code ? ` ${error.code}` : '';
  return {
    kind: error.status === 202 ? 'waiting' : 'refusal',
    line: `${error.status}${code}: ${error.message} at ${origin}`,
    status: error.status,
    retryAfterMs: error.retryAfter === undefined ? null : error.retryAfter * 1000,
    identityRefused: error.status === 401,
  };
}

function isAnswer(error: unknown): boolean {
  return [z.ZodError, SyntaxError, UnexpectedAnswer].some((kind) => error instanceof kind);
}

function lineFor(error: unknown, code: string, host: string): string {
  if (error instanceof z.ZodError)
    return `${host} answered ${describeIssues(error, 'something else')}`;
  if (error instanceof SyntaxError) return `${host} answered something that is not JSON`;
  if (error instanceof UnexpectedAnswer) return `${host} answered ${error.message}`;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'TimeoutError') return `cannot reach ${host}: no answer in time`;
  if (identityAlert.test(code)) return `${host} refused this device's certificate (${code})`;
  if (certificateFailure.test(code)) {
    return `certificate of ${host} refused: ${message.replace(nodeHint, '')} (${code})`;
  }
  if (notTls.test(code)) return `${host} does not speak TLS as expected (${code})`;
  return `cannot reach ${host}: ${code || message}`;
}
