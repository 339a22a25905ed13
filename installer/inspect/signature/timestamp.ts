import type { Certificate } from '#pki/cms/parsed-certificate.ts';
import { readTimestampToken } from '#pki/cms/timestamp-token.ts';
import { InstallerError } from '../../installer-error.ts';
import { type Chain, checkChain } from './chain.ts';
import { findChain } from './find-chain.ts';
import type { Trust } from './trust.ts';

export interface Timestamp {
  /** Milliseconds since 1970. */
  time: number;
  /** The timestamp authority first, the trust anchor last. */
  chain: Chain;
  /** Included certificates that are not part of the chain. */
  unused: Certificate[];
}

/** The tolerated clock difference. A timestamp further in the future is rejected. */
const CLOCK_SKEW = 5 * 60_000;

/**
 * Verifies an RFC 3161 token over a signature, and that a trusted authority issued it. `now` is in
 * milliseconds since 1970.
 *
 * @throws Error naming the problem
 */
export function verifyTimestamp(
  token: Buffer,
  signature: Buffer,
  { trust, now }: { trust: Trust; now: number },
): Timestamp {
  const { time, signer, certificates } = readTimestampToken(token, signature);
  if (time > now + CLOCK_SKEW)
    throw new InstallerError(`is dated ${new Date(time).toISOString()}, in the future`);
  const problemsOf = (candidate: Chain) => checkChain(candidate, time);
  const chain = findChain(signer, { candidates: certificates, trust, problemsOf });
  const [wrong] = problemsOf(chain);
  if (wrong) throw new InstallerError(wrong);
  const used = new Set(chain.map(({ x509 }) => x509.fingerprint256));
  return { time, chain, unused: certificates.filter(({ x509 }) => !used.has(x509.fingerprint256)) };
}
