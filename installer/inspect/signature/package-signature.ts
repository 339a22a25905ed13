import { InstallerError } from '../../installer-error.ts';
import type { HeapReader } from '../archive/content.ts';
import type { DigestName } from '../archive/digests.ts';
import type { SignatureSlot, Toc } from '../archive/toc.ts';
import { collecting } from '../collecting.ts';
import type { SignatureReport } from '../inspection.ts';
import { type Certificate, describeCertificate, fieldOf, readCertificate } from './certificate.ts';
import { type Chain, checkChain } from './chain.ts';
import { type PackageCms, verifyCms } from './cms.ts';
import { findChain } from './find-chain.ts';
import { checkAppleMarks, checkInstallerPurpose } from './purpose.ts';
import { verifyRsa } from './rsa.ts';
import { type Timestamp, verifyTimestamp } from './timestamp.ts';
import type { Trust } from './trust.ts';

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

/** Bytes. Apple reserves about nine thousand. */
const slotLimit = 1024 * 1024;

/** Verifies every signature of a package, and the identity of the signers. */
export async function inspectSignature(
  toc: Toc,
  context: SignatureContext,
): Promise<SignatureReport | null> {
  const { problems, checksum } = context;
  const slots = await collecting(problems, 'signature', () => findSlots(toc.slots));
  if (!slots) return null;
  const [leaf] = slots.keyInfo;
  await collecting(problems, 'RSA signature', async () =>
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
  /** The signer's certificate first. */
  keyInfo: Chain;
}

/**
 * Throws InstallerError unless there is one RSA slot, and optionally one CMS slot, of one signer.
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
  if (!leaf) throw new InstallerError('the RSA signature comes without certificate');
  if (cms?.certificates[0]?.equals(leaf.x509.raw) === false)
    throw new InstallerError('RSA and CMS come with different certificates');
  return { rsa, cms: cms ?? null, keyInfo: [leaf, ...others] };
}

async function readSlot({ heap }: SignatureContext, slot: SignatureSlot): Promise<Buffer> {
  if (slot.size > slotLimit) throw new InstallerError(`a slot of ${slot.size} bytes`);
  return heap.file.read(heap.heapStart + slot.offset, slot.size);
}

function inspectCms(
  context: SignatureContext,
  slot: SignatureSlot,
  keyInfo: Chain,
): Promise<PackageCms | null> {
  return collecting(context.problems, 'CMS signature', async () => {
    const cms = verifyCms(await readSlot(context, slot), context.checksum.value);
    if (!cms.signer.x509.raw.equals(keyInfo[0].x509.raw))
      throw new InstallerError(`is by "${cms.signer.name}", the RSA signature is not`);
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
  const timestamp = await collecting(problems, 'timestamp', () =>
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
  return collecting(problems, 'certificates', () => {
    const included = cms?.certificates ?? [];
    const hindrances = (candidate: Chain) => [
      ...(trust.isApple ? checkAppleMarks(candidate) : []),
      ...checkChain(candidate, at),
    ];
    const candidates = [...keyInfo, ...included];
    const chain = findChain(keyInfo[0], { candidates, trust, hindrances });
    const wrong = [
      ...checkInstallerPurpose(chain[0]),
      ...hindrances(chain),
      ...checkBrought(included, [...keyInfo, ...chain]),
    ];
    problems.push(...wrong.map((problem) => `certificates: ${problem}`));
    return chain;
  });
}

/** Certificates in the CMS are unsigned, so each must be part of a chain. */
function checkBrought(included: readonly Certificate[], used: readonly Certificate[]): string[] {
  const fingerprints = new Set(used.map(({ x509 }) => x509.fingerprint256));
  return included
    .filter(({ x509 }) => !fingerprints.has(x509.fingerprint256))
    .map(({ name }) => `"${name}" is in the CMS signature but not part of the chain`);
}
