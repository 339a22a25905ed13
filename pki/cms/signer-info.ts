import { type BerNode, childAt, damaged, octetsOf, oidOf, tags } from './ber.ts';
import { CmsError } from './cms-error.ts';
import { element, sequence } from './der.ts';

/** A SignerInfo of CMS. */
export interface Signer {
  /**
   * The issuer's name and the serial number as DER, or the id of the key: exactly one is present.
   */
  issuerAndSerial: Buffer | null;
  keyId: Buffer | null;
  digestAlgorithm: string;
  attributes: Attribute[];
  /** The bytes that the signature covers. */
  signedBytes: Buffer;
  signatureAlgorithm: string;
  signature: Buffer;
  unsignedAttributes: Attribute[];
}

export interface Attribute {
  type: string;
  values: BerNode[];
}

/** @throws CmsError */
export function readSigner(info: BerNode): Signer {
  const id = childAt(info, 1, tags.sequence, tags.implicit0);
  const attributes = childAt(info, 3);
  if (attributes.tag !== tags.constructed0) throw new CmsError('has no signed attributes');
  if (info.children.length > 7) throw damaged();
  const unsigned = info.children[6] && childAt(info, 6, tags.constructed1);
  const byName = id.tag === tags.sequence;
  checkVersion(childAt(info, 0), byName ? 1 : 3);
  return {
    issuerAndSerial: byName ? sequence(...id.children.map(({ raw }) => raw)) : null,
    keyId: byName ? null : id.content,
    digestAlgorithm: readAlgorithm(childAt(info, 2)),
    attributes: attributes.children.map(readAttribute),
    signedBytes: asSet(attributes),
    signatureAlgorithm: readAlgorithm(childAt(info, 4)),
    signature: octetsOf(childAt(info, 5)),
    unsignedAttributes: (unsigned?.children ?? []).map(readAttribute),
  };
}

/** Parses an algorithm identifier. The supported algorithms have no parameters, or NULL. */
export function readAlgorithm(node: BerNode): string {
  const [oid, parameters, ...more] = node.children;
  if (node.tag !== tags.sequence || !oid || more.length > 0) throw damaged();
  if (parameters && (parameters.tag !== tags.null || parameters.content.length > 0))
    throw new CmsError(`algorithm ${oidOf(oid)} has unexpected parameters`);
  return oidOf(oid);
}

/** Checks the version, which follows from the features in use (RFC 5652, sections 5.1 and 5.3). */
export function checkVersion(node: BerNode, expected: number): void {
  if (node.tag !== tags.integer || !node.content.equals(Buffer.from([expected])))
    throw new CmsError(`CMS version ${node.content.toString('hex')}, expected ${expected}`);
}

function readAttribute(node: BerNode): Attribute {
  if (node.tag !== tags.sequence || node.children.length !== 2) throw damaged();
  return { type: oidOf(childAt(node, 0)), values: childAt(node, 1, tags.set).children };
}

/**
 * The attributes with the tag of a SET, under which they are signed. They are stored under an
 * implicit tag.
 */
const asSet = (attributes: BerNode): Buffer =>
  element(tags.set, ...attributes.children.map(({ raw }) => raw));
