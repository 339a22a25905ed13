import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/**
 * Returns the key id of a POST request that has AWS's signature version 4 with this secret;
 * otherwise undefined. Unlike for S3, paths are encoded twice and no header contains the hash of
 * the body.
 */
export function signerOf(
  headers: IncomingHttpHeaders,
  url: URL,
  body: string,
  secret: string,
): string | undefined {
  const [, id, date = '', region = '', service = '', signed = '', signature] =
    HEADER.exec(String(headers.authorization)) ?? [];
  const scope = `${date}/${region}/${service}/aws4_request`;
  const canonical = [
    'POST',
    url.pathname.split('/').map(encodeURIComponent).join('/'),
    url.searchParams.toString(),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    sha256(body),
  ].join('\n');
  const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope}\n${sha256(canonical)}`;
  const key = [region, service, 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, date));
  return hmac(key, text).toString('hex') === signature ? id : undefined;
}
