import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Identity } from '#pki/pkcs12.ts';
import { createTestAuthority, type TestAuthority } from '../testing/authority.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import {
  createTimestampAuthority,
  type TimestampAuthority,
} from '../testing/timestamp-authority.ts';
import { createWorkshop, toPem, type Workshop } from '../testing/workshop.ts';
import { createSigner } from './create-signer.ts';
import { APPLE_TIMESTAMP_URL } from './timestamp/request.ts';

const checksum = createHash('sha1').update('a table of contents').digest();

let workshop: Workshop;
let authority: TestAuthority;
let identity: Identity;
let timestamps: TimestampAuthority;
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
  const own = await authority.issueInstaller();
  const issuers = [authority.authority.certificate, authority.root.certificate];
  identity = { key: own.key, chain: [own.certificate, ...issuers] };
  const signer = await authority.issueTimestamp();
  timestamps = await createTimestampAuthority({ workshop, signer, chain: issuers });
  await workshop.write('root.pem', toPem(authority.root.certificate));
  await workshop.write('authority.pem', toPem(authority.authority.certificate));
  await workshop.write('own.pem', toPem(own.certificate));
  await workshop.write('checksum', checksum);
});
afterAll(async () => {
  await timestamps[Symbol.asyncDispose]();
  await workshop[Symbol.asyncDispose]();
});

const signer = () => createSigner(identity, { timestampUrl: timestamps.url });

const verifyCms = (content: string) =>
  workshop.run(
    'openssl cms -verify -binary -inform DER -in cms -CAfile root.pem -purpose any ' +
      `-ignore_critical -out verified -content ${content}`,
  );

describe('the RSA signature', () => {
  test('covers the checksum itself', { tags: ['openssl'] }, async () => {
    const { signRsa, rsaSize } = signer();
    const signature = signRsa(checksum);
    expect(signature).toHaveLength(rsaSize);
    await workshop.write('rsa', signature);
    await workshop.run('openssl x509 -in own.pem -noout -pubkey -out own.pub');
    const verify = (file: string) =>
      workshop.run(
        'openssl pkeyutl -verify -pubin -inkey own.pub -sigfile rsa -pkeyopt digest:sha1 ' +
          `-in ${file}`,
      );
    expect(await verify('checksum')).toMatchObject({ ok: true });
    await workshop.write('other', createHash('sha1').update(checksum).digest());
    expect(await verify('other')).toMatchObject({ ok: false });
  });

  test('is refused for anything but a SHA-1', () => {
    expect(() => signer().signRsa(Buffer.alloc(32))).toThrow(
      'expected a checksum of 20 bytes (SHA-1), found 32',
    );
  });
});

describe('the CMS signature', { tags: ['openssl'] }, () => {
  test('fits its slot with the chain and a timestamp, padded with zeros', async () => {
    const { signCms, cmsSize } = signer();
    const signature = await signCms(checksum);
    const slot = Buffer.alloc(cmsSize);
    slot.set(signature);
    await workshop.write('cms', slot);
    expect(await verifyCms('checksum')).toMatchObject({ ok: true });
    await workshop.write('other', createHash('sha1').update('other').digest());
    expect(await verifyCms('other')).toMatchObject({ ok: false });
  });

  test('carries a token over its value that openssl ts accepts', async () => {
    await workshop.write('cms', Buffer.from(await signer().signCms(checksum)));
    const { output } = await workshop.run('openssl asn1parse -inform DER -in cms');
    const { value, token } = await takeToken(output);
    await workshop.write('value', value);
    await workshop.write('value-token', token);
    const verify = (data: string) =>
      workshop.run(
        'openssl ts -verify -token_in -in value-token -CAfile root.pem ' +
          `-untrusted authority.pem -data ${data}`,
      );
    expect((await verify('value')).output).toContain('Verification: OK');
    expect((await verify('checksum')).output).toContain('message imprint mismatch');
  });

  test('without a timestamp, states the time of the given clock', async () => {
    const clock = createFakeClock(Date.UTC(2026, 5, 1, 12));
    const requests = timestamps.count();
    const plain = createSigner(identity, { timestampUrl: null, clock });
    await workshop.write('cms', Buffer.from(await plain.signCms(checksum)));
    expect(await verifyCms('checksum')).toMatchObject({ ok: true });
    const { output } = await workshop.run('openssl asn1parse -inform DER -in cms');
    expect(output).toContain('UTCTIME           :260601120000Z');
    expect(output).not.toContain('id-smime-aa-timeStampToken');
    expect(timestamps.count()).toBe(requests);
  });

  /** The bytes of the signature and of the token after it, as located by openssl. */
  async function takeToken(listing: string) {
    const rows = listing.split('\n');
    const at = rows.findIndex((row) => row.includes('id-smime-aa-timeStampToken'));
    const cms = await workshop.read('cms');
    const take = (line = '', whole = false) => {
      const [, offset, head, length] = /^ *(\d+):d=\d+ +hl= *(\d+) +l= *(\d+)/
        .exec(line)!
        .map(Number);
      const start = offset! + (whole ? 0 : head!);
      return cms.subarray(start, offset! + head! + length!);
    };
    const value = rows.slice(0, at).findLast((row) => row.includes('OCTET STRING'));
    return { value: take(value), token: take(rows[at + 2], true) };
  }
});

describe('the slot', () => {
  test.each([
    ["Apple's authority", APPLE_TIMESTAMP_URL, [1400, 1100, 1200], 9216],
    ['none', null, [1400, 1100, 1200], 9216],
    ['another', 'http://stamp.example', [1400, 1100, 1200], 12_288 + 1024],
    ["Apple's authority, a long chain", APPLE_TIMESTAMP_URL, [2000, 2000, 2000, 2000], 14_336],
  ])('is sized for %s', (_, timestampUrl, lengths, size) => {
    const chain = lengths.map((length) => ({ raw: Buffer.alloc(length) }));
    const { key } = identity;
    const sized = createSigner({ key, chain } as unknown as Identity, { timestampUrl });
    expect(sized.cmsSize).toBe(size);
  });

  test(
    "that is too small for the authority's token is a one-line error",
    { tags: ['openssl'] },
    async () => {
      const root = authority.root.certificate;
      const chain = [authority.authority.certificate, ...Array.from({ length: 15 }, () => root)];
      await workshop.write('tsa-chain.pem', toPem(...chain));
      await expect(signer().signCms(checksum)).rejects.toThrow(
        /^the CMS signature has \d+ bytes, but \d+ are reserved for it: the timestamp is too large/,
      );
    },
  );
});
