import 'reflect-metadata';
import { describe, expect, test } from 'vitest';
import { toPem } from '../../testing/workshop.ts';
import type { CraftedArchive } from '../testing/craft-archive.ts';
import { craftSigner, toIndefinite } from '../testing/craft-signer.ts';
import { readTrust } from './trust.ts';
import { setUpSignedInspection } from '../testing/set-up-signed-inspection.ts';

const world = setUpSignedInspection();
const { inspect, now, problemsOf, stamp } = world;

const SIGNER_NAME = 'Developer ID Installer: Gatehouse Test (GATEHOUSE1)';

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
      [world.own, ...world.issuers].map(({ certificate }) => certificate.fingerprint256),
    );
    expect(signature?.timestamp?.chain).toHaveLength(3);
  });

  test.each(['sha1', 'sha256', 'sha512'] as const)('may use %s', async (digest) => {
    expect(await problemsOf({}, {}, { digest })).toEqual([]);
  });

  test('may use indefinite lengths, as Apple does', { tags: ['openssl'] }, async () => {
    expect(await problemsOf({ timestamp: stamp(), editCms: toIndefinite })).toEqual([]);
  });

  test('may have the shape of real packages', async () => {
    const signer = {
      ...craftSigner({ chain: [world.own, ...world.issuers], editCms: toIndefinite }),
    };
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
    expect(unreferenced).toEqual([`heap: 1024 unreferenced bytes at offset ${20 + 256 + 9216}`]);
  });

  test('may lack a CMS signature, which is noted', async () => {
    const editToc = (xml: string) => xml.replace(/<x-signature.*<\/x-signature>/, '');
    const { problems, notes } = await inspect({}, { strict: false }, { editToc });
    expect(problems).toEqual([]);
    expect(notes).toContain('there is no CMS signature: no ticket can be stapled to this package');
  });

  test('may have its issuers only in the CMS', async () => {
    expect(
      await problemsOf({ chain: [world.own], cmsChain: [world.own, ...world.issuers] }),
    ).toEqual([]);
  });

  test('may be trusted by an authority below the root', async () => {
    const below = readTrust(toPem(world.authority.authority.certificate));
    expect(await problemsOf({ chain: [world.own] }, { trust: below })).toEqual([]);
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
    ['something behind the CMS', { editSlots: flip(256 + 12_000) }, 'non-zero bytes follow it'],
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
      'signature: the RSA signature has no certificate',
    ],
    [
      'different certificates',
      { editToc: (xml) => xml.replace(/<X509Certificate>.*?<\/X509Certificate>/, '') },
      'signature: the RSA and CMS signatures have different certificates',
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
    const signer = craftSigner({ chain: [world.own, ...world.issuers] });
    const other = { ...signer, signRsa: () => signer.signRsa(Buffer.alloc(20, 7)) };
    const [first, ...more] = await problemsOf({}, {}, { signer: other });
    expect([first?.endsWith('is for another table of contents'), more]).toEqual([true, []]);
    const cms = { ...signer, signCms: () => signer.signCms(Buffer.alloc(20, 7)) };
    expect(await problemsOf({}, {}, { signer: cms })).toEqual([
      'CMS signature: the signed digest does not match',
    ]);
  });

  test('whose CMS has another signer than the RSA signature is rejected', async () => {
    const another = await world.authority.issueInstaller();
    const [first] = await problemsOf({ cmsChain: [another, ...world.issuers] });
    expect(first).toContain('the RSA signature is not');
    const cmsChain = [world.own, ...world.issuers, another];
    expect(await problemsOf({ cmsChain })).toEqual([
      `certificates: "${SIGNER_NAME}" is in the CMS signature but not part of the chain`,
    ]);
  });
});

describe('the signed content', () => {
  test('must be of the type that the signature states', async () => {
    // The outer type and the signed type are both "data". The signed one is changed.
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
    [
      'of another form',
      staple(Buffer.from('else')),
      "ticket: does not have the format of Apple's tickets",
    ],
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
    expect(() => readTrust(toPem(world.own.certificate))).toThrow(
      'Developer ID Installer: Gatehouse Test (GATEHOUSE1) is not a CA certificate',
    );
  });
});
