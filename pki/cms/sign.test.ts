import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '#installer/testing/authority.ts';
import { createWorkshop, toPem, type Workshop } from '#installer/testing/workshop.ts';
import { readBer } from './ber.ts';
import { CmsError } from './cms-error.ts';
import { element, objectIdentifier, sequence, setOf, time } from './der.ts';
import { signDetached, signEncapsulated, type CmsSigner } from './sign.ts';

const signingTime = Date.UTC(2026, 10, 21, 12, 0, 0);
const content = Buffer.from('what is signed, with a byte beyond ASCII: \u00e9\r\n');

let workshop: Workshop;
let authority: TestAuthority;
let signer: CmsSigner;
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
  const own = await authority.issueInstaller();
  const chain = [own, authority.authority, authority.root].map((item) => item.certificate.raw);
  signer = { key: own.key, chain, signingTime };
  await workshop.write('root.pem', toPem(authority.root.certificate));
  await workshop.write('content', content);
});
afterAll(() => workshop[Symbol.asyncDispose]());

/** OpenSSL does not know Apple's purposes, which are critical. */
const verify = (options = '') =>
  workshop.run(
    `openssl cms -verify -binary -inform DER -in signature -CAfile root.pem -purpose any ${`-ignore_critical -out verified ${options}`.trim()}`,
  );

describe('a CMS signature', { tags: ['openssl'] }, () => {
  test('is detached from its content', async () => {
    const signature = await signDetached(content, signer);
    await workshop.write('signature', signature);
    expect(signature.includes(content)).toBe(false);
    expect(await verify('-content content')).toMatchObject({ ok: true });
    await workshop.write('changed', Buffer.concat([content, Buffer.of(0)]));
    expect(await verify('-content changed')).toMatchObject({ ok: false });
  });

  test('is valid if followed by zeros', async () => {
    const signature = await signDetached(content, signer);
    await workshop.write('signature', Buffer.concat([signature, Buffer.alloc(500)]));
    expect(await verify('-content content')).toMatchObject({ ok: true });
  });

  test('encapsulates its content byte for byte', async () => {
    await workshop.write('signature', await signEncapsulated(content, signer));
    expect(await verify()).toMatchObject({ ok: true });
    expect(await workshop.read('verified')).toEqual(content);
  });

  test('carries the chain, the three signed attributes, and SHA-256', async () => {
    await workshop.write('signature', await signDetached(content, signer));
    const printed = await workshop.run(
      'openssl cms -cmsout -print -noout -inform DER -in signature',
    );
    expect(printed.output.match(/^ +d.certificate: $/gm)).toHaveLength(3);
    const attributes = printed.output.match(/object: (contentType|signingTime|messageDigest) /g);
    expect(attributes).toHaveLength(3);
    expect(printed.output).toContain('UTCTIME:Nov 21 12:00:00 2026 GMT');
    expect(printed.output).toContain('algorithm: rsaEncryption');
    expect(printed.output).toMatch(/unsignedAttrs:\s+<ABSENT>/);
  });

  test('carries a timestamp token over its value', async () => {
    const token = element(0x30, Buffer.from('a token'));
    const signatures: Buffer[] = [];
    const timestamp = async (value: Uint8Array) => {
      signatures.push(Buffer.from(value));
      return token;
    };
    const signature = await signDetached(content, { ...signer, timestamp });
    await workshop.write('signature', signature);
    expect(signatures).toHaveLength(1);
    expect(signature.includes(Buffer.concat([Buffer.of(0x04, 0x82, 1, 0), signatures[0]!]))).toBe(
      true,
    );
    expect(signature.includes(setOf(token))).toBe(true);
    expect(await verify('-content content')).toMatchObject({ ok: true });
  });
});

describe('DER', () => {
  test('round-trips values of any length', () => {
    const members = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 });
    fc.assert(
      fc.property(members, fc.constantFrom(0, 66_000), (contents, extra) => {
        const all = [...contents, new Uint8Array(extra)];
        const der = sequence(...all.map((bytes) => element(0x04, bytes)));
        expect(readBer(der).children.map((part) => [...part.content])).toEqual(
          all.map((bytes) => [...bytes]),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('is rejected if truncated', () => {
    const der = element(0x04, Buffer.alloc(200));
    for (let length = 1; length < der.length; length += 1)
      expect(() => readBer(der.subarray(0, length))).toThrow(CmsError);
  });

  test('has sorted sets, times by their year, and long arcs', () => {
    const [a, two] = [Buffer.of(4, 1, 9), Buffer.of(4, 1, 3)];
    expect(setOf(a, two)).toEqual(Buffer.of(0x31, 6, 4, 1, 3, 4, 1, 9));
    expect(time(Date.UTC(2049, 0, 2, 3, 4, 5)).toString('latin1')).toContain('490102030405Z');
    expect(time(Date.UTC(2050, 0, 2, 3, 4, 5)).toString('latin1')).toContain('20500102030405Z');
    const purpose = objectIdentifier('1.2.840.113635.100.4.13');
    expect(purpose.toString('hex')).toBe('06092a864886f76364040d');
  });
});
