import { type BerNode, childAt, damaged, octetsOf, oidOf, readBer, tags } from './ber.ts';
import { CmsError } from './cms-error.ts';
import { checkVersion, readAlgorithm, readSigner, type Signer } from './signer-info.ts';

/** A CMS SignedData (RFC 5652) with one signer. */
export interface SignedData {
  contentType: string;
  /** Null for a detached signature. */
  content: Buffer | null;
  /** DER, in no particular order. */
  certificates: Buffer[];
  signer: Signer;
  /** Total length in bytes. */
  length: number;
}

const oids = { signedData: '1.2.840.113549.1.7.2', data: '1.2.840.113549.1.7.1' };

/** @throws CmsError unless the bytes begin with a SignedData that has exactly one signer */
export function readSignedData(bytes: Buffer): SignedData {
  const info = readBer(bytes);
  const signed = unwrap(info);
  const { contentType, content } = readContent(childAt(signed, 2, tags.sequence));
  const { certificates, signers } = readSets(signed.children.slice(3));
  const signer = readSigner(childAt(signers, 0, tags.sequence));
  const byKeyId = signer.keyId !== null;
  checkVersion(childAt(signed, 0), contentType === oids.data && !byKeyId ? 1 : 3);
  checkDigests(childAt(signed, 1, tags.set), signer.digestAlgorithm);
  return {
    contentType,
    content,
    certificates: certificates.map(({ raw }) => raw),
    signer,
    length: info.raw.length,
  };
}

function unwrap(info: BerNode): BerNode {
  const wrapper = childAt(info, 1, tags.constructed0);
  if (info.tag !== tags.sequence || info.children.length !== 2) throw damaged();
  if (oidOf(childAt(info, 0)) !== oids.signedData || wrapper.children.length !== 1) throw damaged();
  return childAt(wrapper, 0, tags.sequence);
}

function readContent(info: BerNode): Pick<SignedData, 'contentType' | 'content'> {
  const contentType = oidOf(childAt(info, 0));
  if (info.children.length === 1) return { contentType, content: null };
  const wrapper = childAt(info, 1, tags.constructed0);
  if (info.children.length !== 2 || wrapper.children.length !== 1) throw damaged();
  return { contentType, content: octetsOf(childAt(wrapper, 0)) };
}

/** Certificates and revocation lists are optional; the signers are mandatory. */
function readSets(sets: readonly BerNode[]): { certificates: BerNode[]; signers: BerNode } {
  if (sets.some(({ tag }) => tag === tags.constructed1))
    throw new CmsError('contains revocation lists, which are not supported');
  const signers = sets.at(-1);
  if (!signers || signers.tag !== tags.set || sets.length > 2) throw damaged();
  if (signers.children.length !== 1)
    throw new CmsError(`has ${signers.children.length} signers, expected one`);
  const [certificates] = sets.slice(0, -1);
  if (certificates && certificates.tag !== tags.constructed0) throw damaged();
  return { certificates: certificates?.children ?? [], signers };
}

function checkDigests(set: BerNode, expected: string): void {
  if (set.children.length !== 1 || readAlgorithm(childAt(set, 0)) !== expected)
    throw new CmsError('its digest algorithms do not match that of its signer');
}
