import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '../../testing/authority.ts';
import {
  authorityExtensions,
  createCertificate,
  signerExtensions,
  type TestCertificate,
} from '../../testing/certificates.ts';
import { createWorkshop, toPem, type Workshop } from '../../testing/workshop.ts';
import type { Inspection } from '../inspection.ts';
import { inspectPackage, type InspectOptions } from '../inspect-package.ts';
import { craftArchive, type CraftedArchive } from '../testing/craft-archive.ts';
import { craftProduct } from '../testing/craft-component.ts';
import {
  type CraftedSigner,
  type CraftedToken,
  craftSigner,
  craftToken,
  toIndefinite,
} from '../testing/craft-signer.ts';
import { readTrust, type Trust } from './trust.ts';

const DAY = 86_400_000;
const now = Date.now();
const SIGNER_NAME = 'Developer ID Installer: Gatehouse Test (GATEHOUSE1)';
const INSTALLER_PURPOSE = '1.2.840.113635.100.4.13';

let workshop: Workshop;
let authority: TestAuthority;
let own: TestCertificate;
let timestamps: TestCertificate;
let trust: Trust;
/** All issuers above a signer. */
let issuers: TestCertificate[];
beforeAll(async () => {
  workshop = await createWorkshop();
  authority = await createTestAuthority();
  own = await authority.issueInstaller();
  timestamps = await authority.issueTimestamp();
  issuers = [authority.authority, authority.root];
  trust = readTrust(toPem(authority.root.certificate));
});
afterAll(() => workshop[Symbol.asyncDispose]());

let count = 0;
async function inspect(
  signer: Partial<CraftedSigner>,
  options: InspectOptions = {},
  archive: Partial<CraftedArchive> = {},
): Promise<Inspection> {
  const bytes = await craftArchive({
    files: craftProduct(),
    signer: craftSigner({ chain: [own, ...issuers], ...signer }),
    ...archive,
  });
  const path = await workshop.write(`package-${(count += 1)}`, bytes);
  return inspectPackage(path, { trust, now, strict: true, ...options });
}

const problemsOf = async (...args: Parameters<typeof inspect>) => (await inspect(...args)).problems;

const stamp =
  (token: Partial<CraftedToken> = {}) =>
  (signature: Uint8Array) =>
    craftToken(signature, { workshop, signer: timestamps, chain: issuers, time: now, ...token });

describe('a signed package', () => {
  test('is described and trusted', { tags: ['openssl'] }, async () => {
    const { signature, problems, notes } = await inspect({ timestamp: stamp() });
    expect(problems).toEqual([]);
    expect(notes).toEqual(['no notarization ticket is stapled']);
    expect(signature).toMatchObject({
      styles: ['RSA', 'CMS'],
      algorithms: ['rsa with sha1', 'rsa with sha256'],
      signer: 'Developer ID Installer: Gatehouse Test (GATEHOUSE1)',
      teamId: 'GATEHOUSE1',
      signingTime: '2026-06-01T00:00:00.000Z',
      timestamp: {
        authority: 'Timestamp Signer',
        time: new Date(now).toISOString().replace(/\.\d+/, '.000'),
      },
    });
    expect(signature?.chain.map(({ fingerprint256 }) => fingerprint256)).toEqual(
      [own, ...issuers].map(({ certificate }) => certificate.fingerprint256),
    );
    expect(signature?.timestamp?.chain).toHaveLength(3);
  });

  test.each(['sha1', 'sha256', 'sha512'] as const)('may rest on %s', async (digest) => {
    expect(await problemsOf({}, {}, { digest })).toEqual([]);
  });

  test('may use indefinite lengths, as Apple does', { tags: ['openssl'] }, async () => {
    expect(await problemsOf({ timestamp: stamp(), editCms: toIndefinite })).toEqual([]);
  });

  test('may have the shape of real packages', async () => {
    const signer = { ...craftSigner({ chain: [own, ...issuers], editCms: toIndefinite }) };
    const { problems, archive, unreferenced } = await inspect(
      {},
      { strict: false },
      {
        signer: { ...signer, cmsSize: 9216 },
        gap: 1024,
        editToc: (xml) => xml.replaceAll(/<mode>\d+<\/mode>/g, ''),
      },
    );
    expect(problems).toEqual([]);
    expect(archive?.checksum.algorithm).toBe('sha1');
    expect(unreferenced).toEqual([`heap: nothing refers to 1024 bytes at ${20 + 256 + 9216}`]);
  });

  test('may be without CMS, which is noted', async () => {
    const editToc = (xml: string) => xml.replace(/<x-signature.*<\/x-signature>/, '');
    const { problems, notes } = await inspect({}, { strict: false }, { editToc });
    expect(problems).toEqual([]);
    expect(notes).toContain('there is no CMS signature: no ticket can be stapled to this package');
  });

  test('may have its issuers only in the CMS', async () => {
    expect(await problemsOf({ chain: [own], cmsChain: [own, ...issuers] })).toEqual([]);
  });

  test('may be trusted by an authority below the root', async () => {
    const below = readTrust(toPem(authority.authority.certificate));
    expect(await problemsOf({ chain: [own] }, { trust: below })).toEqual([]);
  });
});

describe('a signature', () => {
  const flip = (at: number) => (slots: Buffer) => {
    slots.writeUInt8((slots[at] as number) ^ 1, at);
    return slots;
  };
  test.each<[string, Partial<CraftedArchive>, string]>([
    ['a changed RSA signature', { editSlots: flip(100) }, 'RSA signature: is not by'],
    ['a changed CMS', { editSlots: flip(256 + 5) }, 'CMS signature: '],
    ['something behind the CMS', { editSlots: flip(256 + 12_000) }, 'bytes that are not zero'],
    [
      'only a CMS',
      { editToc: (xml) => xml.replace(/<signature.*<\/signature>/, '') },
      'signature: of style CMS, expected RSA and CMS',
    ],
    [
      'two RSA signatures',
      { editToc: (xml) => xml.replace('style="CMS"', 'style="RSA"') },
      'signature: of style RSA, RSA, expected RSA and CMS',
    ],
    [
      'no certificate',
      { editToc: (xml) => xml.replaceAll(/<X509Certificate>.*?<\/X509Certificate>/g, '') },
      'signature: the RSA signature comes without certificate',
    ],
    [
      'different certificates',
      { editToc: (xml) => xml.replace(/<X509Certificate>.*?<\/X509Certificate>/, '') },
      'signature: RSA and CMS come with different certificates',
    ],
    [
      'a damaged certificate',
      { editToc: (xml) => xml.replaceAll(/<X509Certificate>.{8}/g, '<X509Certificate>MAMCAQAA') },
      'signature: contains a damaged certificate',
    ],
    [
      'a slot without end',
      { editToc: (xml) => xml.replace('<size>12288<', '<size>99999999<') },
      'truncated',
    ],
  ])('with %s is rejected', async (_, archive, problem) => {
    expect((await problemsOf({}, {}, archive)).join('\n')).toContain(problem);
  });

  test('over another table of contents is rejected', async () => {
    const signer = craftSigner({ chain: [own, ...issuers] });
    const other = { ...signer, signRsa: () => signer.signRsa(Buffer.alloc(20, 7)) };
    const [first, ...more] = await problemsOf({}, {}, { signer: other });
    expect([first?.endsWith('is for another table of contents'), more]).toEqual([true, []]);
    const cms = { ...signer, signCms: () => signer.signCms(Buffer.alloc(20, 7)) };
    expect(await problemsOf({}, {}, { signer: cms })).toEqual([
      'CMS signature: the signed digest does not match',
    ]);
  });

  test('whose CMS has another signer than the RSA signature is rejected', async () => {
    const another = await authority.issueInstaller();
    const [first] = await problemsOf({ cmsChain: [another, ...issuers] });
    expect(first).toContain('the RSA signature is not');
    const cmsChain = [own, ...issuers, another];
    expect(await problemsOf({ cmsChain })).toEqual([
      `certificates: "${SIGNER_NAME}" is in the CMS signature but not part of the chain`,
    ]);
  });
});

describe('the signed content', () => {
  test('must be of the type that the signature states', async () => {
    // Both the outer type and the signed one are "data"; the signed one is changed.
    const data = Buffer.from('06092a864886f70d010701', 'hex');
    const editCms = (cms: Buffer) => {
      const changed = Buffer.from(cms);
      changed.writeUInt8(3, changed.indexOf(data) + data.length - 1);
      return changed;
    };
    expect((await problemsOf({ editCms })).join()).toContain('CMS version 01, expected 3');
    const both = (cms: Buffer) => {
      const changed = Buffer.from(cms);
      changed.writeUInt8(2, changed.lastIndexOf(data) + data.length - 1);
      return changed;
    };
    expect((await problemsOf({ editCms: both })).join()).toContain('the signed content type');
  });
});

describe('the chain', () => {
  test('must end at a trust anchor', async () => {
    const problem = 'certificates: the chain ends at "Test Root CA", which is not trusted';
    const other = await createTestAuthority();
    const elsewhere = readTrust(toPem(other.root.certificate));
    expect(await problemsOf({}, { trust: elsewhere })).toEqual([problem]);
    const bytes = await craftArchive({
      files: craftProduct(),
      signer: craftSigner({ chain: [own, ...issuers] }),
    });
    const path = await workshop.write('without-trust', bytes);
    expect((await inspectPackage(path)).problems).toEqual([problem]);
  });

  test('must be complete', async () => {
    expect((await problemsOf({ chain: [own, authority.root] }))[0]).toContain(
      'the chain ends at "Developer ID Installer: Gatehouse Test (GATEHOUSE1)"',
    );
  });

  type Changes = Parameters<TestAuthority['issueInstaller']>[0];
  test.each<[string, () => Changes, string]>([
    ['expired', () => ({ notBefore: now - 20 * DAY, notAfter: now - DAY }), 'expired at'],
    ['not valid yet', () => ({ notBefore: now + DAY, notAfter: now + 5 * DAY }), 'is valid from'],
    [
      'for another purpose',
      () => ({ extensions: signerExtensions('1.3.6.1.5.5.7.3.3') }),
      'is not a Developer ID Installer certificate',
    ],
    ['for no stated purpose', () => ({ extensions: [] }), 'is not a Developer ID Installer'],
    [
      'not for signing',
      () => ({
        extensions: [
          signerExtensions(INSTALLER_PURPOSE)[2] as Extension,
          new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true),
        ],
      }),
      'may not sign',
    ],
    [
      'with an unknown critical extension',
      () => ({
        extensions: [
          ...signerExtensions(INSTALLER_PURPOSE),
          new Extension('1.2.3.4.5', true, Buffer.from('0500', 'hex')),
        ],
      }),
      'has the critical extension 1.2.3.4.5, which is not known here',
    ],
  ])('whose signer is %s is rejected', async (_, changes, problem) => {
    const signer = await authority.issueInstaller(changes());
    expect((await problemsOf({ chain: [signer, ...issuers] })).join('\n')).toContain(problem);
  });

  test.each<[string, Extension[], string]>([
    ['no authority', [], 'is not a CA certificate'],
    [
      'one that says so',
      [new BasicConstraintsExtension(false, undefined, true)],
      'is not a CA cert',
    ],
    [
      'one that may not sign certificates',
      [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ],
      'may not sign certificates',
    ],
  ])('through %s is rejected', async (_, extensions, problem) => {
    const between = await createCertificate({
      subject: 'CN=Between',
      issuer: authority.root,
      extensions,
    });
    const signer = await authority.issueInstaller({ issuer: between });
    const problems = await problemsOf({ chain: [signer, between, authority.root] });
    expect(problems.join('\n')).toMatch(new RegExp(`${problem}|the chain ends at`));
  });

  test('with more authorities than one of them allows is rejected', async () => {
    const between = await createCertificate({
      subject: 'CN=Between',
      issuer: authority.authority,
      extensions: authorityExtensions(),
    });
    const signer = await authority.issueInstaller({ issuer: between });
    expect(await problemsOf({ chain: [signer, between, ...issuers] })).toEqual([
      'certificates: "Developer ID Certification Authority" allows 0 authorities below, there are 1',
    ]);
  });

  test('to Apple must carry the markers that Gatekeeper requires', async () => {
    const plain = await authority.issueInstaller({
      extensions: signerExtensions(INSTALLER_PURPOSE),
    });
    const apple = { ...trust, isApple: true };
    expect(await problemsOf({}, { trust: apple })).toEqual([]);
    expect((await problemsOf({ chain: [plain, ...issuers] }, { trust: apple }))[0]).toContain(
      "lacks Apple's marker for installers",
    );
  });
});

describe('the timestamp', { tags: ['openssl'] }, () => {
  const later = now + 60 * DAY;
  test('keeps the signature of an expired signer valid', async () => {
    expect((await problemsOf({}, { now: later }))[0]).toContain('expired at');
    expect(await problemsOf({ timestamp: stamp() }, { now: later })).toEqual([]);
  });

  test('does not help a signer that had expired before it, or was not valid yet', async () => {
    const past = { notBefore: now - 20 * DAY, notAfter: now - 2 * DAY };
    const signer = await authority.issueInstaller(past);
    const chain = [signer, ...issuers];
    expect((await problemsOf({ chain, timestamp: stamp() }))[0]).toContain('expired at');
    const early = stamp({ time: now - DAY / 2 });
    const young = await authority.issueInstaller({ notBefore: now - DAY / 4 });
    expect((await problemsOf({ chain: [young, ...issuers], timestamp: early }))[0]).toContain(
      'is valid from',
    );
  });

  test.each<[string, () => Promise<Partial<CraftedToken>> | Partial<CraftedToken>, string]>([
    ['over something else', () => ({ over: Buffer.from('else') }), 'is for another signature'],
    ['of tomorrow', () => ({ time: now + DAY }), 'in the future'],
    [
      'of before its authority',
      () => ({ time: now - 30 * DAY }),
      'timestamp: "Timestamp Signer" is valid from',
    ],
    [
      'by one that is not for timestamps',
      async () => ({ signer: await authority.issueInstaller() }),
      'is not exclusively for timestamps',
    ],
    [
      'by one that is for other things too',
      async () => ({
        signer: await authority.issueTimestamp({
          extensions: signerExtensions('1.3.6.1.5.5.7.3.8', '1.3.6.1.5.5.7.3.3'),
        }),
      }),
      'is not exclusively for timestamps',
    ],
    [
      'by an untrusted authority',
      async () => {
        const other = await createTestAuthority();
        return { signer: await other.issueTimestamp(), chain: [other.authority, other.root] };
      },
      'timestamp: the chain ends at "Test Root CA", which is not trusted',
    ],
    ['with more certificates', () => ({ chain: [...issuers, own] }), 'is not part of its chain'],
  ])('%s is rejected', async (_, token, problem) => {
    const problems = await problemsOf({ timestamp: stamp(await token()) });
    expect(problems.join('\n')).toContain(problem);
  });

  test('that is invalid is rejected', async () => {
    const timestamp = async () => Buffer.from('3003020100', 'hex');
    expect((await problemsOf({ timestamp }))[0]).toContain('timestamp: is damaged');
  });
});

describe('a ticket', () => {
  const record = (type: number, length: number) => {
    const bytes = Buffer.alloc(16);
    bytes.write('t8lr');
    bytes.writeUInt16LE(1, 4);
    bytes.writeUInt16LE(type, 6);
    bytes.writeUInt32LE(length, 8);
    return bytes;
  };
  const staple = (ticket: Buffer, length = ticket.length) =>
    Buffer.concat([record(1, 0), ticket, record(2, length)]);

  test('is found after the archive, and described', async () => {
    const other = { tail: staple(Buffer.from('s8ch and more')) };
    const first = await inspect({}, { strict: false }, other);
    const message = 'ticket: does not contain the checksum of this package';
    expect(first).toMatchObject({ problems: [], ticket: { length: 13, namesThisPackage: false } });
    expect(first.notes).toContain(message);
    expect(await problemsOf({}, {}, other)).toEqual([message]);
    const checksum = Buffer.from(first.archive?.checksum.value as string, 'hex');
    const tail = staple(Buffer.concat([Buffer.from('s8ch'), checksum]));
    expect(await inspect({}, {}, { tail })).toMatchObject({
      problems: [],
      ticket: { length: 24, namesThisPackage: true },
    });
  });

  test.each([
    ['of another form', staple(Buffer.from('else')), 'ticket: does not begin like those of Apple'],
    ['without start', record(2, 0), 'ticket: damaged terminator record'],
    ['of another length', staple(Buffer.from('s8ch'), 3), 'ticket: damaged terminator record'],
    ['longer than the file', staple(Buffer.from('s8ch'), 1 << 23), 'ticket: of 8388608 bytes'],
    [
      'with garbage behind it',
      Buffer.concat([staple(Buffer.from('s8ch')), Buffer.from('x')]),
      'heap: 37 bytes follow the end of the archive and are not a ticket',
    ],
    [
      'with garbage before it',
      Buffer.concat([Buffer.from('x'), staple(Buffer.from('s8ch'))]),
      'heap: 1 bytes follow the end of the archive and are not a ticket',
    ],
  ])('%s is rejected', async (_, tail, problem) => {
    expect((await problemsOf({}, {}, { tail })).join('\n')).toContain(problem);
  });
});

describe('the trust anchors', () => {
  test('must be authorities', () => {
    expect(() => readTrust('nothing')).toThrow('expected a certificate as PEM');
    expect(() => readTrust(toPem(own.certificate))).toThrow(
      'Developer ID Installer: Gatehouse Test (GATEHOUSE1) is not a CA certificate',
    );
  });
});
