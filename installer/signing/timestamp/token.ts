import { AsnConvert } from '@peculiar/asn1-schema';
import { PKIStatus, TimeStampResp } from '@peculiar/asn1-tsp';
import { readBer } from '#pki/cms/ber.ts';
import { CmsError } from '#pki/cms/cms-error.ts';
import { readTimestampToken } from '#pki/cms/timestamp-token.ts';
import { InstallerError } from '../../installer-error.ts';
import { oneLine } from '#lib/one-line.ts';
import type { TimestampQuery } from './query.ts';

export interface Timestamp {
  /** DER, as included in a signature. */
  token: Buffer;
  /** Milliseconds since 1970. */
  time: number;
}

/**
 * Parses the token of a response. It must match this query and be signed by the timestamp authority
 * in its certificate. Whether that authority is trusted is not checked.
 *
 * @throws InstallerError
 */
export function readTimestamp(response: Uint8Array, query: TimestampQuery): Timestamp {
  const token = tokenOf(response);
  const { time, nonce } = readToken(token, query);
  if (!nonce?.equals(query.nonce))
    throw new InstallerError('the token belongs to another request: its nonce differs');
  return { token, time };
}

/** The token's bytes in the response. Encoding them again could invalidate the signature. */
function tokenOf(bytes: Uint8Array): Buffer {
  const { response, parts } = parse(bytes);
  checkStatus(response);
  const [, token] = parts;
  if (!token) throw new InstallerError('granted, but without a token');
  return token.raw;
}

function parse(bytes: Uint8Array) {
  try {
    return {
      response: AsnConvert.parse(bytes, TimeStampResp),
      parts: readBer(bytes).children,
    };
  } catch (error) {
    throw new InstallerError('the response is not a valid RFC 3161 response', { cause: error });
  }
}

function readToken(token: Buffer, { signature }: TimestampQuery) {
  try {
    return readTimestampToken(token, signature);
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    throw new InstallerError(`the token: ${error.message}`, { cause: error });
  }
}

function checkStatus({ status }: TimeStampResp): void {
  if (status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods) return;
  const texts = [...(status.statusString ?? []), ...(status.failInfo?.toJSON() ?? [])];
  const why = texts.length > 0 ? `: ${oneLine(texts.join(', '))}` : '';
  throw new InstallerError(`refused (${PKIStatus[status.status] ?? status.status})${why}`);
}
