import type { Certificate } from '#pki/cms/parsed-certificate.ts';
import { InstallerError } from '../../installer-error.ts';
import type { Chain } from './chain.ts';
import type { Trust } from './trust.ts';

export interface ChainSearch {
  /** Included certificates, in no particular order. */
  candidates: readonly Certificate[];
  trust: Trust;
  /** The problems of a chain. */
  problemsOf: (chain: Chain) => readonly string[];
}

const LENGTH_LIMIT = 6;
/**
 * A limit, because certificates with one name and key can issue each other in exponentially many
 * ways.
 */
const STEP_LIMIT = 32;

/**
 * Finds a chain from a certificate to a trust anchor, each certificate signed by the next. There
 * may be several chains, for example if an authority was renewed with its key. In this case,
 * returns the first one without problems, or the first one if all have problems.
 *
 * @throws InstallerError if there is no chain
 */
export function findChain(leaf: Certificate, search: ChainSearch): Chain {
  const { trust, candidates, problemsOf } = search;
  const issuers = [...distinct([...trust.anchors, ...candidates]).values()];
  const chains = [...chainsAbove([leaf], { trust, issuers, remainingSteps: STEP_LIMIT })];
  const trusted = chains.filter((chain) => trust.isAnchor(topOf(chain)));
  const valid = trusted.find((chain) => problemsOf(chain).length === 0) ?? trusted[0];
  if (valid) return valid;
  const end = chains[0] ? topOf(chains[0]) : leaf;
  throw new InstallerError(`the chain ends at "${end.name}", which is not trusted`);
}

interface SearchState {
  trust: Trust;
  issuers: readonly Certificate[];
  /** Remaining steps. */
  remainingSteps: number;
}

/** Every chain upwards to a trust anchor, or to a certificate with an unknown issuer. */
function* chainsAbove(chain: Chain, state: SearchState): Generator<Chain> {
  const next = chain.length < LENGTH_LIMIT ? issuersOf(chain, state) : [];
  if (next.length === 0) yield chain;
  for (const issuer of next) {
    if ((state.remainingSteps -= 1) < 0) return;
    yield* chainsAbove([...chain, issuer], state);
  }
}

function issuersOf(chain: Chain, { trust, issuers }: SearchState): Certificate[] {
  const last = topOf(chain);
  if (trust.isAnchor(last)) return [];
  const passed = distinct(chain);
  return issuers.filter(
    (issuer) => !passed.has(issuer.x509.fingerprint256) && isIssuer(issuer, last),
  );
}

const isIssuer = (issuer: Certificate, subject: Certificate): boolean =>
  subject.x509.checkIssued(issuer.x509) && subject.x509.verify(issuer.x509.publicKey);

const topOf = (chain: Chain): Certificate => chain.at(-1) ?? chain[0];

const distinct = (certificates: readonly Certificate[]): Map<string, Certificate> =>
  new Map(certificates.map((certificate) => [certificate.x509.fingerprint256, certificate]));
