// @module-tag openssl

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '../../testing/authority.ts';
import type { TestCertificate } from '../../testing/certificates.ts';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts';
import { serve } from '../../testing/serve.ts';
import {
  type Change,
  createTimestampAuthority,
  signAgain,
  type TimestampAuthority,
  tokenless,
} from '../../testing/timestamp-authority.ts';
import { createWorkshop, type Workshop } from '../../testing/workshop.ts';
import { requestTimestamp } from './request.ts';

const DAY = 86_400_000;
const signature = randomBytes(256);

let workshop: Workshop;
let authority: TestAuthority;
let own: TestCertificate;
let server: TimestampAuthority;
let clock: FakeClock;
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
  own = await authority.issueInstaller();
  const signer = await authority.issueTimestamp();
  const chain = [authority.authority.certificate, authority.root.certificate];
  server = await createTimestampAuthority({ workshop, signer, chain });
});
beforeEach(() => {
  clock = createFakeClock();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await workshop[Symbol.asyncDispose]();
});

const request = (url = server.url, signer = own.certificate) =>
  requestTimestamp(signature, { url, clock, signer });

const refusal = (...args: Parameters<typeof request>) =>
  request(...args).then(
    () => 'nothing was refused',
    (error: Error) =>
      `${error.name}: ${error.message}`
        .replace(/127\.0\.0\.1:\d+/, 'HOST')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );

describe('a timestamp', () => {
  test('is retried while the authority is overloaded or unreachable', async () => {
    server.changeNext(() => ({ status: 503 }));
    server.changeNext(() => ({ status: 429 }));
    expect((await request()).length).toBeGreaterThan(1000);
    expect(clock.slept).toEqual([1000, 3000]);
  });

  test('fails after the last retry', async () => {
    for (let times = 0; times < 4; times += 1) server.changeNext(() => ({ status: 500 }));
    expect(await refusal()).toBe('TransientError: timestamp: HOST answered 500');
    expect(clock.slept).toEqual([1000, 3000, 9000]);
    const closed = await serve(async () => ({}));
    await closed[Symbol.asyncDispose]();
    expect(await refusal(closed.url)).toMatch(/^TransientError: timestamp: HOST cannot be reached/);
  });

  test('from an authority with an EC key is accepted', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signer = await authority.issueTimestamp({ key: privateKey });
    await using shop = await createWorkshop();
    const chain = [authority.authority.certificate];
    await using other = await createTimestampAuthority({ workshop: shop, signer, chain });
    expect((await request(other.url)).length).toBeGreaterThan(1000);
  });
});

describe('an invalid response is rejected in one line', () => {
  /** Flips a bit near the end, which is within the signature. */
  const damage = (reply: Buffer, fromEnd: number) => {
    const changed = Buffer.from(reply);
    changed[changed.length - fromEnd]! ^= 1;
    return changed;
  };
  let firstReply: Buffer;
  const remember: Change = (reply) => {
    firstReply = reply;
    return { body: reply };
  };
  const again = async (reply: Buffer, changes: Parameters<TestAuthority['issueTimestamp']>[0]) =>
    signAgain(workshop, reply, await authority.issueTimestamp(changes));

  test.each<[string, string, Change]>([
    ['an error of HTTP', 'HOST answered 404', () => ({ status: 404 })],
    ['a redirection', 'HOST answered 302', () => ({ status: 302, headers: { location: '/' } })],
    [
      'a page',
      'HOST: the response is not a valid RFC 3161 response',
      () => ({ body: '<html>Sign in</html>' }),
    ],
    ['nothing', 'HOST: the response is not a valid RFC 3161 response', () => ({ body: '' })],
    [
      'a flood',
      'HOST sent a response of more than 65536 bytes',
      () => ({ body: Buffer.alloc(100_000, 0x30) }),
    ],
    ['no token', 'HOST: granted, but without a token', () => ({ body: tokenless() })],
    [
      'half an answer',
      'HOST: the response is not a valid RFC 3161 response',
      (reply) => ({ body: reply.subarray(0, reply.length / 2) }),
    ],
    [
      'a damaged signature',
      'HOST: the token: the signature does not match the key of "Timestamp Signer"',
      (reply) => ({ body: damage(reply, 20) }),
    ],
    [
      'a certificate for something else',
      'HOST: the token: "Developer ID Installer: Gatehouse Test (GATEHOUSE1)" is not exclusively for timestamping',
      async (reply) => ({ body: await signAgain(workshop, reply, own) }),
    ],
    [
      'a certificate out of date',
      'HOST: the token: "Timestamp Signer" expired at TIME, before TIME',
      async (reply) => ({
        body: await again(reply, { notBefore: Date.now() - 9 * DAY, notAfter: Date.now() - DAY }),
      }),
    ],
  ])('%s', async (_, message, change) => {
    server.changeNext(change);
    expect(await refusal()).toBe(`InstallerError: timestamp: ${message}`);
  });

  test('a response to another request, a token for another signature', async () => {
    server.changeNext(remember);
    await request();
    server.changeNext(() => ({ body: firstReply }));
    expect(await refusal()).toMatch(
      /HOST: the token belongs to another request: its nonce differs$/,
    );
    server.changeNext(() => ({ body: firstReply }));
    const other = requestTimestamp(randomBytes(256), {
      url: server.url,
      clock,
      signer: own.certificate,
    });
    await expect(other).rejects.toThrow('the token: is for another signature');
  });

  test('a time outside the validity of the signing certificate', async () => {
    const later = await authority.issueInstaller({ notBefore: Date.now() + DAY });
    expect(await refusal(server.url, later.certificate)).toMatch(
      /HOST: its time, TIME, is outside the validity of the signing certificate$/,
    );
  });

  test('a rejection, with the authority’s reason', async () => {
    await using shop = await createWorkshop();
    const signer = await authority.issueTimestamp();
    const digests = 'sha512';
    await using strict = await createTimestampAuthority({
      workshop: shop,
      signer,
      chain: [],
      digests,
    });
    expect(await refusal(strict.url)).toMatch(/HOST: refused \(rejection\): [^\n]*badAlg/);
  });
});
