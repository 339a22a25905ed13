import {
  type Certificate,
  fieldOf,
  readCertificate,
  subjectOf,
  mayDigitallySign,
  purposesOf,
} from '#pki/cms/parsed-certificate.ts';
import { InstallerError } from '../../installer-error.ts';
import type { HeapReader } from '../archive/content.ts';
import type { DigestName } from '../archive/header.ts';
import type { SignatureSlot, Toc } from '../archive/toc.ts';
import { collectErrors } from '../collect-errors.ts';
import type { SignatureReport, CertificateReport } from '../inspection.ts';
import { type Chain, checkChain } from './chain.ts';
import { type PackageCms, verifyCms } from './cms.ts';
import { findChain } from './find-chain.ts';
import { verifyRsa } from './rsa.ts';
import { type Timestamp, verifyTimestamp } from './timestamp.ts';
import type { Trust } from './trust.ts';

/** Apple's object identifiers for certificate purposes and issuer markers. */
const apple = {
  developerIdInstaller: '1.2.840.113635.100.4.13',
  installerMark: '1.2.840.113635.100.6.1.14',
  developerIdAuthorityMark: '1.2.840.113635.100.6.2.6',
} as const;

/** The reasons why the certificate must not sign a package. */
export function checkInstallerPurpose({ name, details }: Certificate): string[] {
  if (!purposesOf(details)?.usages.includes(apple.developerIdInstaller))
    return [`"${name}" is not a Developer ID Installer certificate`];
  return mayDigitallySign(details) ? [] : [`"${name}" may not sign`];
}

/** Additional requirements of Gatekeeper for a chain to Apple's root. */
export function checkAppleMarks([leaf, authority]: readonly Certificate[]): string[] {
  if (leaf && !leaf.details.getExtension(apple.installerMark))
    return [`"${leaf.name}" lacks Apple's marker for installers`];
  if (authority && !authority.details.getExtension(apple.developerIdAuthorityMark))
    return [`"${authority.name}" lacks Apple's marker for Developer ID`];
  return [];
}

export const describeCertificate = ({ x509: certificate }: Certificate): CertificateReport => ({
  subject: subjectOf(certificate),
  notBefore: certificate.validFromDate.toISOString(),
  notAfter: certificate.validToDate.toISOString(),
  fingerprint256: certificate.fingerprint256,
});

export interface SignatureContext {
  heap: HeapReader;
  checksum: { digest: DigestName; value: Buffer };
  trust: Trust;
  /** Milliseconds since 1970. */
  now: number;
  problems: string[];
  unreferenced: string[];
  notes: string[];
}

/** A limit in bytes. Apple reserves about nine thousand. */
const SLOT_LIMIT = 1024 * 1024;

/** Verifies every signature of a package, and the identity of the signers. */
export async function inspectSignature(
  toc: Toc,
  context: SignatureContext,
): Promise<SignatureReport | null> {
  const { problems, checksum } = context;
  const slots = await collectErrors(problems, 'signature', () => findSlots(toc.slots));
  if (!slots) return null;
  const [leaf] = slots.keyInfo;
  await collectErrors(problems, 'RSA signature', async () =>
    verifyRsa(await readSlot(context, slots.rsa), checksum, leaf),
  );
  const cms = slots.cms && (await inspectCms(context, slots.cms, slots.keyInfo));
  const timestamp = cms && (await inspectTimestamp(context, cms));
  const at = timestamp?.time ?? context.now;
  const chain = await inspectChain(context, slots.keyInfo, { cms, at });
  if (!slots.cms)
    context.notes.push('there is no CMS signature: no ticket can be stapled to this package');
  return {
    styles: slots.cms ? ['RSA', 'CMS'] : ['RSA'],
    algorithms: [`rsa with ${checksum.digest}`, cms?.algorithm ?? []].flat(),
    signer: leaf.name,
    teamId: fieldOf(leaf.details, 'OU'),
    signingTime: cms && cms.signingTime,
    timestamp: timestamp && describeTimestamp(timestamp),
    chain: (chain ?? slots.keyInfo).map(describeCertificate),
  };
}

const describeTimestamp = ({ time, chain }: Timestamp): SignatureReport['timestamp'] => ({
  time: new Date(time).toISOString(),
  authority: chain[0].name,
  chain: chain.map(describeCertificate),
});

interface Slots {
  rsa: SignatureSlot;
  cms: SignatureSlot | null;
  /** The chain with the signer's certificate first. */
  keyInfo: Chain;
}

/**
 * @throws InstallerError unless there is one RSA slot and at most one CMS slot, both of one signer
 */
function findSlots(slots: readonly SignatureSlot[]): Slots {
  const [rsa, ...moreRsa] = slots.filter(({ style }) => style === 'RSA');
  const [cms, ...moreCms] = slots.filter(({ style }) => style === 'CMS');
  const expected = (rsa ? 1 : 0) + (cms ? 1 : 0);
  if (!rsa || moreRsa.length + moreCms.length > 0 || expected !== slots.length) {
    const styles = slots.map(({ style }) => style).join(', ');
    throw new InstallerError(`of style ${styles}, expected RSA and CMS`);
  }
  const [leaf, ...others] = rsa.certificates.map(readCertificate);
  if (!leaf) throw new InstallerError('the RSA signature has no certificate');
  if (cms?.certificates[0]?.equals(leaf.x509.raw) === false)
    throw new InstallerError('the RSA and CMS signatures have different certificates');
  return { rsa, cms: cms ?? null, keyInfo: [leaf, ...others] };
}

async function readSlot({ heap }: SignatureContext, slot: SignatureSlot): Promise<Buffer> {
  if (slot.size > SLOT_LIMIT) throw new InstallerError(`a slot of ${slot.size} bytes`);
  return heap.file.read(heap.heapStart + slot.offset, slot.size);
}

function inspectCms(
  context: SignatureContext,
  slot: SignatureSlot,
  keyInfo: Chain,
): Promise<PackageCms | null> {
  return collectErrors(context.problems, 'CMS signature', async () => {
    const cms = verifyCms(await readSlot(context, slot), context.checksum.value);
    if (!cms.signer.x509.raw.equals(keyInfo[0].x509.raw))
      throw new InstallerError(`is by "${cms.signer.name}", but the RSA signature is not`);
    return cms;
  });
}

async function inspectTimestamp(
  { problems, notes, unreferenced, trust, now }: SignatureContext,
  { token, signature }: PackageCms,
): Promise<Timestamp | null> {
  if (!token) {
    notes.push('there is no timestamp: the signature ends with its certificate');
    return null;
  }
  const timestamp = await collectErrors(problems, 'timestamp', () =>
    verifyTimestamp(token, signature, { trust, now }),
  );
  for (const { name } of timestamp?.unused ?? [])
    unreferenced.push(`timestamp: the certificate "${name}" is not part of its chain`);
  return timestamp;
}

function inspectChain(
  { trust, problems }: SignatureContext,
  keyInfo: Chain,
  { cms, at }: { cms: PackageCms | null; at: number },
): Promise<Chain | null> {
  return collectErrors(problems, 'certificates', () => {
    const included = cms?.certificates ?? [];
    const problemsOf = (candidate: Chain) => [
      ...(trust.isApple ? checkAppleMarks(candidate) : []),
      ...checkChain(candidate, at),
    ];
    const candidates = [...keyInfo, ...included];
    const chain = findChain(keyInfo[0], { candidates, trust, problemsOf });
    const wrong = [
      ...checkInstallerPurpose(chain[0]),
      ...problemsOf(chain),
      ...checkAllUsed(included, [...keyInfo, ...chain]),
    ];
    problems.push(...wrong.map((problem) => `certificates: ${problem}`));
    return chain;
  });
}

/**
 * Checks that each certificate in the CMS is part of a chain, because these certificates are
 * unsigned.
 */
function checkAllUsed(included: readonly Certificate[], used: readonly Certificate[]): string[] {
  const fingerprints = new Set(used.map(({ x509 }) => x509.fingerprint256));
  return included
    .filter(({ x509 }) => !fingerprints.has(x509.fingerprint256))
    .map(({ name }) => `"${name}" is in the CMS signature but not part of the chain`);
}
