import { jwtVerify } from 'jose';
import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../remote/retry.ts';
import type { AwsKeys } from './aws-signature.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import { json, readBody, type Reply, serve, type TestServer } from './serve.ts';

export interface NotaryOrder {
  clock: Clock;
  /** The verdict, available after `looks` requests. */
  verdict?: 'Accepted' | 'Invalid' | 'Rejected';
  looks?: number;
  /** Issues in Apple's log. */
  issues?: readonly object[];
  /** Modifies the returned credentials, to simulate a defect. */
  handOut?: (keys: AwsKeys) => object;
  /** Responds in place of the notary unless it returns undefined. */
  intercept?: (request: IncomingMessage) => Reply | undefined;
}

export interface TestNotary extends TestServer {
  /** The URL, including `/notary/v2`. */
  url: string;
  /** The key of a known App Store Connect account. */
  key: KeyObject;
  keyId: string;
  issuer: string;
  store: ObjectStore;
  submissions: Map<string, Submitted>;
  /** The issue times of accepted tokens, in seconds. */
  tokens: number[];
}

interface Submitted {
  name: string;
  sha256: string;
  looks: number;
}

const submissionSchema = z.strictObject({
  submissionName: z.string().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  notifications: z.array(z.never()),
});

const BUCKET = 'notary-submissions';
const PREFIX = 'prod/AROAEXAMPLE:session';

/**
 * Imitates Apple's notary and its object store: accepts the tokens, credentials and files that
 * Apple accepts.
 */
export async function createTestNotary(order: NotaryOrder): Promise<TestNotary> {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [keyId, issuer] = ['ABCDE12345', randomUUID()];
  const keys = createKeys();
  const store = await createObjectStore(keys, order.clock);
  const submissions = new Map<string, Submitted>();
  const tokens: number[] = [];
  const server = await serve(async (request) => {
    const body = await readBody(request);
    const instead = order.intercept?.(request);
    if (instead) return instead;
    if (request.url?.startsWith('/log')) return sendLog(request, order);
    const issued = await verifyToken(request, { publicKey, keyId, issuer, now: order.clock.now() });
    if (issued === null) return refuse(401, 'NOT_AUTHORIZED', 'Provide a properly signed token.');
    tokens.push(issued);
    return handle(request, body, { order, keys, store, submissions, origin: server.url });
  });
  return {
    key,
    keyId,
    issuer,
    store,
    submissions,
    tokens,
    url: `${server.url}/notary/v2`,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

function createKeys(): AwsKeys {
  const random = () => randomBytes(20).toString('hex');
  return { accessKeyId: random(), secretAccessKey: random(), sessionToken: `${random()}/+==` };
}

interface Known {
  publicKey: KeyObject;
  keyId: string;
  issuer: string;
  now: number;
}

/** Returns the issue time of a token, or null if Apple would reject the token. */
async function verifyToken(request: IncomingMessage, expected: Known): Promise<number | null> {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const { issuer, now } = expected;
  const options = { issuer, audience: 'appstoreconnect-v1', algorithms: ['ES256'] };
  const verified = await jwtVerify(token, expected.publicKey, {
    ...options,
    currentDate: new Date(now),
    requiredClaims: ['iat', 'exp'],
  }).catch(() => null);
  if (!verified || verified.protectedHeader.kid !== expected.keyId) return null;
  const { iat = 0, exp = 0 } = verified.payload;
  return exp - iat <= 20 * 60 && iat <= now / 1000 ? iat : null;
}

function refuse(status: number, code: string, detail: string): Reply {
  const title = 'The request was refused.';
  return json(status, { errors: [{ id: randomUUID(), status: `${status}`, code, title, detail }] });
}

interface State {
  order: NotaryOrder;
  keys: AwsKeys;
  store: ObjectStore;
  submissions: Map<string, Submitted>;
  origin: string;
}

function handle(request: IncomingMessage, body: Buffer, state: State): Reply {
  const [path, id, suffix] = /^\/notary\/v2\/submissions(?:\/([^/]+))?(\/logs)?$/.exec(
    request.url ?? '',
  ) ?? [null];
  if (path === null) return refuse(404, 'NOT_FOUND', 'There is no such path.');
  if (!id) return request.method === 'POST' ? submit(body, state) : json(200, { data: [] });
  const submitted = state.submissions.get(id);
  if (!submitted) return refuse(404, 'NOT_FOUND', 'There is no resource of this type.');
  const status = statusOf(id, submitted, state);
  if (!suffix) return json(200, { data: { id, type: 'submissions', attributes: { status } } });
  if (status === 'In Progress') return refuse(404, 'NOT_FOUND', 'Submission log is not available.');
  const developerLogUrl = `${state.origin}/log?key=${id}`;
  return json(200, { data: { id, attributes: { developerLogUrl } } });
}

function submit(body: Buffer, { order, keys, submissions }: State): Reply {
  const { data } = submissionSchema.safeParse(JSON.parse(body.toString('utf8')));
  if (!data) return refuse(400, 'PARAMETER_ERROR', 'The submission is not valid.');
  const id = randomUUID();
  submissions.set(id, { name: data.submissionName, sha256: data.sha256, looks: 0 });
  const handed = order.handOut?.(keys) ?? keys;
  const attributes = Object.fromEntries(
    Object.entries(handed).map(([name, value]) => [
      `aws${name[0]!.toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  );
  const object = `${PREFIX}/${id}`;
  return json(200, {
    data: { id, type: 'newSubmissions', attributes: { ...attributes, bucket: BUCKET, object } },
  });
}

/** The status of a submission. Processing starts once the upload is complete. */
function statusOf(id: string, submitted: Submitted, { order, store }: State): string {
  const object = store.objects.get(`/${BUCKET}/${PREFIX}/${id}`);
  if (object?.sha256 !== submitted.sha256) return 'In Progress';
  submitted.looks += 1;
  return submitted.looks > (order.looks ?? 2) ? (order.verdict ?? 'Accepted') : 'In Progress';
}

/** Sends the log. A pre-signed URL rejects requests with other credentials. */
function sendLog(
  request: IncomingMessage,
  { verdict = 'Accepted', issues = [] }: NotaryOrder,
): Reply {
  if (request.headers.authorization) return { status: 400, body: 'InvalidArgument' };
  const statusSummary = 'Archive contains critical validation errors';
  return json(200, { logFormatVersion: 1, status: verdict, statusSummary, issues });
}
