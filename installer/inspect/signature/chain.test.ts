import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '../../testing/authority.ts';
import {
  authorityExtensions,
  createCertificate,
  resign,
  type TestCertificate,
} from '../../testing/certificates.ts';
import { createWorkshop, toPem, type Workshop } from '../../testing/workshop.ts';
import { craftToken } from '../testing/craft-signer.ts';
import { readCertificate } from '#pki/cms/parsed-certificate.ts';
import { checkChain } from './chain.ts';
import { findChain } from './find-chain.ts';
import { verifyTimestamp } from './timestamp.ts';
import { readTrust } from './trust.ts';

const DAY = 86_400_000;
const now = Date.now();

let workshop: Workshop;
let authority: TestAuthority;
let own: TestCertificate;
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
  own = await authority.issueInstaller();
});
afterAll(() => workshop[Symbol.asyncDispose]());

const read = ({ certificate }: TestCertificate) => readCertificate(certificate.raw);

/** The problems of a chain of these certificates, the last of which is the trust anchor. */
function problemsOf(...certificates: TestCertificate[]): string[] {
  const trust = readTrust(toPem(certificates.at(-1)!.certificate));
  const [leaf, ...candidates] = certificates.map(read);
  const check = (chain: Parameters<typeof checkChain>[0]) => checkChain(chain, now);
  return check(findChain(leaf!, { candidates, trust, problemsOf: check }));
}

describe('the signature of a certificate', () => {
  test.each(['sha384', 'sha512'] as const)('may use %s', (digest) => {
    const leaf = resign(own, authority.authority, digest);
    expect(problemsOf(leaf, authority.authority, authority.root)).toEqual([]);
  });

  test.each(['md5', 'sha1'] as const)('may not use %s anywhere in the chain', (digest) => {
    const weak = new RegExp(`is signed with .*${digest}.*, which is too weak or unknown`, 'i');
    const leaf = resign(own, authority.authority, digest);
    expect(problemsOf(leaf, authority.authority, authority.root)).toEqual([
      expect.stringMatching(weak),
    ]);
    const between = resign(authority.authority, authority.root, digest);
    expect(problemsOf(own, between, authority.root)).toEqual([expect.stringMatching(weak)]);
  });

  test("is not checked on trust anchors, such as Apple's root", () => {
    const root = resign(authority.root, authority.root, 'sha1');
    expect(problemsOf(own, authority.authority, root)).toEqual([]);
  });

  test('may not be weak above a timestamp either', { tags: ['openssl'] }, async () => {
    const trust = readTrust(toPem(authority.root.certificate));
    const chain = [authority.authority, authority.root];
    const signature = Buffer.from('a signature');
    const honest = await authority.issueTimestamp();
    const weak = resign(honest, authority.authority, 'sha1');
    const tokenBy = (signer: TestCertificate) =>
      craftToken(signature, { workshop, signer, chain, time: now });
    const [good, bad] = [await tokenBy(honest), await tokenBy(weak)];
    expect(verifyTimestamp(good, signature, { trust, now }).chain).toHaveLength(3);
    expect(() => verifyTimestamp(bad, signature, { trust, now })).toThrow(
      /"Timestamp Signer" is signed with .*sha1.*, which is too weak or unknown/i,
    );
  });
});

describe('the path to a trust anchor', () => {
  test('is found in any order if a root was renewed with its key', async () => {
    const { root } = authority;
    const past = { notBefore: now - 9 * DAY, notAfter: now - DAY };
    const old = await createCertificate({
      subject: root.certificate.subject.split('\n').join(', '),
      key: root.key,
      extensions: authorityExtensions(),
      ...past,
    });
    const check = (chain: Parameters<typeof checkChain>[0]) => checkChain(chain, now);
    const candidates = [read(authority.authority)];
    for (const pems of [
      [old, root],
      [root, old],
    ]) {
      const trust = readTrust(toPem(...pems.map(({ certificate }) => certificate)));
      const chain = findChain(read(own), { candidates, trust, problemsOf: check });
      expect(chain.at(-1)?.x509.fingerprint256).toBe(root.certificate.fingerprint256);
    }
    const trust = readTrust(toPem(old.certificate));
    const [wrong] = check(findChain(read(own), { candidates, trust, problemsOf: check }));
    expect(wrong).toContain('"Test Root CA" expired at');
  });

  test('is searched within bounds among authorities that issue each other', async () => {
    const key = authority.authority.key;
    const subject = authority.authority.certificate.subject.split('\n').join(', ');
    const order = { subject, key, issuer: authority.authority, extensions: authorityExtensions() };
    const many = await Promise.all(Array.from({ length: 60 }, () => createCertificate(order)));
    let attempts = 0;
    const trust = {
      ...readTrust(toPem(authority.root.certificate)),
      isAnchor: () => (attempts += 1) < 0,
    };
    const search = { candidates: many.map(read), trust, problemsOf: () => [] };
    expect(() => findChain(read(own), search)).toThrow('which is not trusted');
    expect(attempts).toBeLessThan(100);
  });
});

describe('the issuer of a certificate', () => {
  /** Problems if the authority between leaf and root has these extensions. */
  async function problemsBelow(extensions: Extension[]): Promise<string[] | string> {
    const { root } = authority;
    const subject = 'CN=Between';
    const between = await createCertificate({ subject, issuer: root, extensions });
    const leaf = await createCertificate({ subject: 'CN=Leaf', issuer: between });
    try {
      return problemsOf(leaf, between, root);
    } catch (error) {
      return (error as Error).message;
    }
  }

  test('is an authority that may sign certificates', async () => {
    expect(await problemsBelow(authorityExtensions())).toEqual([]);
    expect(await problemsBelow([new BasicConstraintsExtension(false, undefined, true)])).toEqual([
      '"Between" is not a CA certificate',
    ]);
    const authorityAlone = new BasicConstraintsExtension(true, undefined, true);
    const signsListsOnly = new KeyUsagesExtension(KeyUsageFlags.cRLSign, true);
    expect(await problemsBelow([authorityAlone, signsListsOnly])).not.toEqual([]);
  });
});
