import { SignedData } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import { PKIStatus, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp';
import { element, objectIdentifier, readElements } from '#pki/cms/der.ts';
import { InstallerError } from '../../installer-error.ts';
import { oneLine } from '../../remote/one-line.ts';
import { sha256, type TimestampQuery } from './query.ts';
import { verifySigner } from './verify-signer.ts';

export interface Timestamp {
  /** DER, as included in a signature. */
  token: Buffer;
  /** Milliseconds since 1970. */
  time: number;
}

/**
 * Parses the token of a response, if it matches this query and is signed by the timestamp authority
 * in its certificate. Does not check whether that authority is trusted. Throws InstallerError.
 */
export function readTimestamp(answer: Uint8Array, query: TimestampQuery): Timestamp {
  try {
    return readGranted(answer, query);
  } catch (error) {
    if (error instanceof InstallerError) throw error;
    throw new InstallerError('the answer is not one of RFC 3161');
  }
}

/** Throws parser errors if the bytes are something else. */
function readGranted(answer: Uint8Array, query: TimestampQuery): Timestamp {
  checkStatus(AsnConvert.parse(answer, TimeStampResp));
  const [, token] = readElements(readElements(answer)[0]!.content);
  if (!token) throw new InstallerError('granted, but without a token');
  const signed = readSignedData(token.content);
  const content = contentOf(signed.data);
  const info = AsnConvert.parse(content, TSTInfo);
  checkInfo(info, query);
  const [signer, ...others] = signed.data.signerInfos;
  if (!signer || others.length > 0) throw new InstallerError('expected one signer of the token');
  verifySigner({ ...signed, signer, content, time: info.genTime });
  return { token: token.raw, time: info.genTime.getTime() };
}

function checkStatus({ status }: TimeStampResp): void {
  if (status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods) return;
  const texts = [...(status.statusString ?? []), ...(status.failInfo?.toJSON() ?? [])];
  const why = texts.length > 0 ? `: ${oneLine(texts.join(', '))}` : '';
  throw new InstallerError(`refused (${PKIStatus[status.status] ?? status.status})${why}`);
}

const signedDataType = objectIdentifier('1.2.840.113549.1.7.2');
const infoType = '1.2.840.113549.1.9.16.1.4';

interface Signed {
  data: SignedData;
  /** DER, each with its original bytes: re-encoding could invalidate the signature. */
  certificates: Buffer[];
  /** Original bytes too, of the signed attributes and of the name of the signer's certificate. */
  signedAttributes: Buffer;
  signerName: Buffer;
}

function readSignedData(contentInfo: Buffer): Signed {
  const [type, wrapper] = readElements(contentInfo);
  if (!type!.raw.equals(signedDataType)) throw new InstallerError('the token is not signed');
  const [signedData] = readElements(wrapper!.content);
  const parts = readElements(signedData!.content);
  const certificates = parts.find(({ tag }) => tag === 0xa0)?.content ?? Buffer.alloc(0);
  const [signer] = readElements(parts.at(-1)!.content);
  const [, name, , attributes] = readElements(signer!.content);
  return {
    data: AsnConvert.parse(signedData!.raw, SignedData),
    certificates: readElements(certificates).map(({ raw }) => raw),
    // Signed as a SET, encoded with the tag [0] (RFC 5652, 5.4).
    signedAttributes: element(0x31, attributes!.content),
    signerName: name!.raw,
  };
}

function contentOf({ encapContentInfo }: SignedData): Buffer {
  const { eContentType, eContent } = encapContentInfo;
  if (eContentType !== infoType || !eContent?.single) {
    throw new InstallerError('what is signed in the token is not a time');
  }
  return Buffer.from(eContent.single.buffer);
}

function checkInfo(info: TSTInfo, query: TimestampQuery): void {
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const imprint = Buffer.from(hashedMessage.buffer);
  if (hashAlgorithm.algorithm !== sha256 || !imprint.equals(query.imprint)) {
    throw new InstallerError('the token is for something else than this signature');
  }
  if (!info.nonce || !Buffer.from(info.nonce).equals(query.nonce)) {
    throw new InstallerError('the token answers another request: its nonce differs');
  }
}
