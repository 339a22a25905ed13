import { readElements, sequence } from './der.ts';

/**
 * How a signature identifies its certificate: the issuer's name and the serial number, as DER. The
 * bytes are copied unchanged, because names are compared bytewise.
 */
export function issuerAndSerial(certificate: Uint8Array): Buffer {
  const [outer] = readElements(certificate);
  const [tbs] = readElements(outer!.content);
  const parts = readElements(tbs!.content);
  const first = parts[0]!.tag === 0xa0 ? 1 : 0;
  const [serial, , issuer] = parts.slice(first);
  return sequence(issuer!.raw, serial!.raw);
}
