import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../remote/retry.ts';
import { type AwsKeys, refuseSignature } from './aws-signature.ts';
import { type Reply, serve, type TestServer } from './serve.ts';

export interface StoredObject {
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface ObjectStore extends TestServer {
  /** Stored objects, by `/{bucket}/{object}`. */
  objects: Map<string, StoredObject>;
  /** Codes of rejected requests. */
  refusals: string[];
  /** Responds to the next request with this status. */
  failNext: (status: number) => void;
}

/**
 * Creates an object store with the checks of a real one: valid signature, stated length, matching
 * bytes.
 */
export async function createObjectStore(keys: AwsKeys, clock: Clock): Promise<ObjectStore> {
  const objects = new Map<string, StoredObject>();
  const refusals: string[] = [];
  const failures: number[] = [];
  const refuse = (status: number, code: string): Reply => {
    refusals.push(code);
    const headers = { 'content-type': 'application/xml' };
    return { status, headers, body: `<Error><Code>${code}</Code><Message>No</Message></Error>` };
  };
  const server = await serve(async (request) => {
    const stored = await receive(request);
    const failure = failures.shift();
    if (failure) return { status: failure };
    if (request.method !== 'PUT') return refuse(405, 'MethodNotAllowed');
    if (!request.headers['content-length']) return refuse(411, 'MissingContentLength');
    const refusal = refuseSignature(request, keys, clock.now());
    if (refusal) return refuse(403, refusal);
    const stated = request.headers['x-amz-content-sha256'];
    if (stated !== stored.sha256) return refuse(400, 'XAmzContentSHA256Mismatch');
    objects.set(decodeURIComponent(request.url ?? ''), stored);
    return { status: 200 };
  });
  return { ...server, objects, refusals, failNext: (status) => void failures.push(status) };
}

async function receive(request: IncomingMessage): Promise<StoredObject> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of request) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { size, sha256: hash.digest('hex') };
}
