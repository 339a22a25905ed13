import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import { createTestAuthority, type TestAuthority } from '../../testing/authority.ts';
import {
  authorityExtensions,
  createCertificate,
  signerExtensions,
} from '../../testing/certificates.ts';
import { toPem } from '../../testing/workshop.ts';
import { inspectPackage } from '../inspect-package.ts';
import { craftArchive } from '../testing/craft-archive.ts';
import { craftProduct } from '../testing/craft-component.ts';
import { craftSigner } from '../testing/craft-signer.ts';
import { readTrust } from './trust.ts';
import { setUpSignedInspection } from '../testing/set-up-signed-inspection.ts';

const DAY = 86_400_000;
const world = setUpSignedInspection();
const { now, problemsOf } = world;

const INSTALLER_PURPOSE = '1.2.840.113635.100.4.13';

describe('the chain', () => {
  test('must end at a trust anchor', async () => {
    const problem = 'certificates: the chain ends at "Test Root CA", which is not trusted';
    const other = await createTestAuthority();
    const elsewhere = readTrust(toPem(other.root.certificate));
    expect(await problemsOf({}, { trust: elsewhere })).toEqual([problem]);
    const bytes = await craftArchive({
      files: craftProduct(),
      signer: craftSigner({ chain: [world.own, ...world.issuers] }),
    });
    const path = await world.workshop.write('without-trust', bytes);
    expect((await inspectPackage(path)).problems).toEqual([problem]);
  });

  test('must be complete', async () => {
    expect((await problemsOf({ chain: [world.own, world.authority.root] }))[0]).toContain(
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
      'has the unsupported critical extension 1.2.3.4.5',
    ],
  ])('whose signer is %s is rejected', async (_, changes, problem) => {
    const signer = await world.authority.issueInstaller(changes());
    expect((await problemsOf({ chain: [signer, ...world.issuers] })).join('\n')).toContain(problem);
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
      issuer: world.authority.root,
      extensions,
    });
    const signer = await world.authority.issueInstaller({ issuer: between });
    const problems = await problemsOf({ chain: [signer, between, world.authority.root] });
    expect(problems.join('\n')).toMatch(new RegExp(`${problem}|the chain ends at`));
  });

  test('with more authorities than one of them allows is rejected', async () => {
    const between = await createCertificate({
      subject: 'CN=Between',
      issuer: world.authority.authority,
      extensions: authorityExtensions(),
    });
    const signer = await world.authority.issueInstaller({ issuer: between });
    expect(await problemsOf({ chain: [signer, between, ...world.issuers] })).toEqual([
      'certificates: "Developer ID Certification Authority" allows 0 authorities below, there are 1',
    ]);
  });

  test('to Apple must carry the markers that Gatekeeper requires', async () => {
    const plain = await world.authority.issueInstaller({
      extensions: signerExtensions(INSTALLER_PURPOSE),
    });
    const apple = { ...world.trust, isApple: true };
    expect(await problemsOf({}, { trust: apple })).toEqual([]);
    expect((await problemsOf({ chain: [plain, ...world.issuers] }, { trust: apple }))[0]).toContain(
      "lacks Apple's marker for installers",
    );
  });
});
