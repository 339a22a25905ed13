import { AwsV4Signer } from 'aws4fetch';
import { SignJWT } from 'jose';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AwsKeys } from './aws-signature.ts';
import { createFakeClock } from './fake-clock.ts';
import { createTestNotary, type TestNotary } from './notary.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import { createTicketService } from './ticket-service.ts';
import { createWorkshop, type Workshop } from './workshop.ts';

const clock = createFakeClock();
const keys: AwsKeys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'se/cret+',
  sessionToken: 'to/k==',
};
const content = Buffer.from('a package');
const sha256 = createHash('sha256').update(content).digest('hex');

describe('the object store', () => {
  let store: ObjectStore;
  let workshop: Workshop;
  beforeAll(async () => {
    store = await createObjectStore(keys, clock);
    workshop = await createWorkshop();
    await workshop.write('content', content);
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
    await workshop[Symbol.asyncDispose]();
  });

  /** Returns the error code for a request signed by curl, or an empty string if it succeeds. */
  async function putWithCurl(user: string, ...headers: string[]) {
    const { output } = await workshop.run(
      'curl -sS -X PUT --aws-sigv4 aws:amz:us-west-2:s3 --data-binary @content',
      '--user',
      user,
      ...headers.flatMap((header) => ['-H', header]),
      `${store.url}/bucket/some%3Aobject`,
    );
    return /<Code>(\w+)</.exec(output)?.[1] ?? output;
  }
  const valid = [`x-amz-security-token: ${keys.sessionToken}`, `x-amz-content-sha256: ${sha256}`];
  const user = `${keys.accessKeyId}:${keys.secretAccessKey}`;

  test('accepts requests signed by curl', { tags: ['curl'] }, async () => {
    expect(await putWithCurl(user, ...valid)).toBe('');
    expect(store.objects.get('/bucket/some:object')).toEqual({ size: content.length, sha256 });
  });

  test(
    'rejects another secret, another key, no session, other bytes',
    { tags: ['curl'] },
    async () => {
      expect(await putWithCurl(`${keys.accessKeyId}:other`, ...valid)).toBe(
        'SignatureDoesNotMatch',
      );
      expect(await putWithCurl(`OTHER:${keys.secretAccessKey}`, ...valid)).toBe(
        'InvalidAccessKeyId',
      );
      expect(await putWithCurl(user, valid[1]!)).toBe('InvalidToken');
      const other = `x-amz-content-sha256: ${sha256.replace(/^./, 'g')}`;
      expect(await putWithCurl(user, valid[0]!, other)).toBe('XAmzContentSHA256Mismatch');
    },
  );

  test.each([
    ['a session that is not signed', { sessionToken: undefined }, 'AccessDenied'],
    ['another region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
    ['another day', { datetime: '20200101T000000Z' }, 'RequestTimeTooSkewed'],
  ])('rejects %s', async (_, changes, code) => {
    const signer = new AwsV4Signer({
      method: 'PUT',
      url: `${store.url}/bucket/object`,
      headers: { 'x-amz-content-sha256': sha256 },
      service: 's3',
      region: 'us-west-2',
      datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d+/g, ''),
      ...keys,
      ...changes,
    });
    const { url, headers } = await signer.sign();
    headers.set('x-amz-security-token', keys.sessionToken);
    const answer = await fetch(url, { method: 'PUT', headers, body: content });
    expect(await answer.text()).toContain(`<Code>${code}</Code>`);
  });

  test('rejects a body without a stated length', async () => {
    const body = new Blob([content]).stream();
    const init = { method: 'PUT', body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${store.url}/bucket/object`, init)).status).toBe(411);
  });
});

describe('the notary', () => {
  let notary: TestNotary;
  beforeAll(async () => {
    notary = await createTestNotary({ clock });
  });
  afterAll(() => notary[Symbol.asyncDispose]());

  const second = Math.floor(clock.now() / 1000);
  const { privateKey: otherKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  interface Token {
    key: KeyObject;
    kid: string;
    iss: string;
    aud: string;
    iat: number;
    exp: number;
  }

  async function call(changes: Partial<Token>, body?: unknown): Promise<number> {
    const { key, keyId: kid, issuer: iss } = notary;
    const usual = { key, kid, iss, aud: 'appstoreconnect-v1', iat: second, exp: second + 1200 };
    const { key: signingKey, kid: header, ...claims } = { ...usual, ...changes };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: header })
      .sign(signingKey);
    const headers = { authorization: `Bearer ${token}` };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${notary.url}/submissions`, { headers, ...init })).status;
  }

  test.each<[string, Partial<Token>]>([
    ['another key', { key: otherKey }],
    ['another key id', { kid: 'other' }],
    ['another issuer', { iss: 'other' }],
    ['another audience', { aud: 'other' }],
    ['more than twenty minutes', { exp: second + 1201 }],
    ['a time that is over', { iat: second - 600, exp: second - 300 }],
    ['a time to come', { iat: second + 300, exp: second + 600 }],
  ])('rejects a token with %s', async (_, changes) => {
    expect(await call({})).toBe(200);
    expect(await call(changes)).toBe(401);
  });

  test('rejects a missing token, and an invalid submission', async () => {
    expect((await fetch(`${notary.url}/submissions`)).status).toBe(401);
    const valid = { submissionName: 'a.pkg', sha256, notifications: [] };
    expect(await call({}, valid)).toBe(200);
    expect(await call({}, { ...valid, sha256: sha256.toUpperCase() })).toBe(400);
    expect(await call({}, { ...valid, name: 'a' })).toBe(400);
  });
});

describe('the ticket service', () => {
  test('accepts lookups by name only', async () => {
    await using service = await createTicketService();
    const look = async (recordName: string) => {
      const body = JSON.stringify({ records: [{ recordName }] });
      return (await fetch(service.url, { method: 'POST', body })).status;
    };
    expect(await look(`2/1/${'0a'.repeat(20)}`)).toBe(200);
    expect(await look(`2/1/${'0A'.repeat(20)}`)).toBe(400);
    expect(await look(`2/1/${'0a'.repeat(32)}`)).toBe(400);
  });
});
