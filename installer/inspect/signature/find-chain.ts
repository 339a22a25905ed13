import { InstallerError } from '../../installer-error.ts';
import type { Certificate } from './certificate.ts';
import type { Chain } from './chain.ts';
import type { Trust } from './trust.ts';

export interface ChainSearch {
  /** Certificates that came along, in no particular order. */
  candidates: readonly Certificate[];
  trust: Trust;
  /** What is wrong with a chain. */
  hindrances: (chain: Chain) => readonly string[];
}

const lengthLimit = 6;
/** Certificates of one name and key issue each other in more ways than anyone could try. */
const stepLimit = 32;

/**
 * From a certificate up to one that is trusted, each signed by the next. Of several ways, as where
 * an authority was renewed with its key, the first one that nothing hinders, else the first. Throws
 * InstallerError where there is none.
 */
export function findChain(leaf: Certificate, search: ChainSearch): Chain {
  const { trust, candidates, hindrances } = search;
  const issuers = [...distinct([...trust.anchors, ...candidates]).values()];
  const ways = [...waysUp([leaf], { trust, issuers, left: stepLimit })];
  const trusted = ways.filter((chain) => trust.isAnchor(topOf(chain)));
  const found = trusted.find((chain) => hindrances(chain).length === 0) ?? trusted[0];
  if (found) return found;
  const end = ways[0] ? topOf(ways[0]) : leaf;
  throw new InstallerError(`the chain ends at "${end.name}", which is not trusted`);
}

interface Climb {
  trust: Trust;
  issuers: readonly Certificate[];
  /** Steps that may still be taken. */
  left: number;
}

/** Every way up as far as it goes, to what is trusted or to where nobody knows the issuer. */
function* waysUp(chain: Chain, climb: Climb): Generator<Chain> {
  const next = chain.length < lengthLimit ? issuersOf(chain, climb) : [];
  if (next.length === 0) yield chain;
  for (const issuer of next) {
    if ((climb.left -= 1) < 0) return;
    yield* waysUp([...chain, issuer], climb);
  }
}

function issuersOf(chain: Chain, { trust, issuers }: Climb): Certificate[] {
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
