import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/**
 * Headers that must be signed, because otherwise the signature would be valid for another upload.
 */
const needed = ['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token'];
const QUARTER_OF_AN_HOUR = 900_000;

/**
 * Verifies a request's AWS Signature Version 4. Returns the error of an object store, or null if
 * the signature is valid. The code follows the specification and does not use the library that
 * signs.
 */
export function refuseSignature(request: IncomingMessage, keys: AwsKeys, now: number) {
  const { headers } = request;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
  const [, id, scope = '', region, signedHeaders = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? [];
  if (!signature) return 'AccessDenied';
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (headers['x-amz-security-token'] !== keys.sessionToken) return 'InvalidToken';
  if (region !== 'us-west-2') return 'AuthorizationHeaderMalformed';
  if (!needed.every((name) => signedHeaders.split(';').includes(name))) return 'AccessDenied';
  const date = String(headers['x-amz-date']);
  if (Math.abs(parseDate(date) - now) > QUARTER_OF_AN_HOUR) return 'RequestTimeTooSkewed';
  const canonical = canonicalRequest(request, signedHeaders.split(';'));
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const expected = hmac(signingKey(keys.secretAccessKey, scope), text).toString('hex');
  return expected === signature ? null : 'SignatureDoesNotMatch';
}

function canonicalRequest(request: IncomingMessage, signed: string[]): string {
  const { pathname, search } = new URL(request.url ?? '', 'http://store');
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  return [
    request.method,
    // Each part is encoded once: %3A in the URL is signed as %3A.
    pathname
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/'),
    search.slice(1),
    headers.join(''),
    signed.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n');
}

function signingKey(secret: string, scope: string): Buffer {
  return scope
    .split('/')
    .reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`) as Buffer;
}

/** Parses `20261121T120000Z`. */
function parseDate(date: string): number {
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(date) ?? [];
  if (!day || !time) return Number.NaN;
  const dashed = day.replace(/(....)(..)(..)/, '$1-$2-$3');
  return Date.parse(`${dashed}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
}
