import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { InstallerError } from '../installer-error.ts';
import { type Clock, retry } from '../remote/retry.ts';
import { putFile } from '../remote/put-file.ts';
import type { Submission } from './notary-api.ts';

export interface UploadOptions {
  /** Objects are uploaded to `{s3Url}/{bucket}/{object}`. */
  s3Url: string;
  clock: Clock;
}

/** The region of Apple's bucket. */
const REGION = 'us-west-2';

/** Computes the SHA-256 of a file, in hexadecimal, in constant memory. */
export async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Uploads a file to the notary's location with the credentials for it. Streams from disk with a
 * stated length, because object stores reject bodies of unknown length.
 */
export async function uploadPackage(
  file: string,
  sha256: string,
  submission: Submission,
  options: UploadOptions,
): Promise<void> {
  const { status, body } = await retry(options.clock, async () => {
    const { url, headers } = await signRequest(sha256, submission, options);
    return putFile('upload', url, file, headers);
  });
  if (status === 200) return;
  const [, code = 'no reason given'] =
    /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body.toString('utf8')) ?? [];
  const { host } = new URL(options.s3Url);
  throw new InstallerError(`upload: ${host} rejected the package (${status}, ${code})`);
}

async function signRequest(sha256: string, submission: Submission, options: UploadOptions) {
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: `${options.s3Url}/${encodePath(submission.bucket)}/${encodePath(submission.object)}`,
    headers: { 'x-amz-content-sha256': sha256, 'content-type': 'application/octet-stream' },
    accessKeyId: submission.accessKeyId,
    secretAccessKey: submission.secretAccessKey,
    sessionToken: submission.sessionToken,
    service: 's3',
    region: REGION,
    datetime: new Date(options.clock.now()).toISOString().replaceAll(/[:-]|\.\d+/g, ''),
  });
  const { url, headers } = await signer.sign();
  return { url: url.href, headers: Object.fromEntries(headers) };
}

/** Encodes a path from the network, which must not leave its folder: `..` would be resolved. */
function encodePath(name: string): string {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new InstallerError('upload: the notary returned an invalid object name');

  return parts.map(encodeURIComponent).join('/');
}
