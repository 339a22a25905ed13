import { type Detector, endOf, endOfAll, type Finding } from '../detector.ts';
import { hexKeyOfMember } from './hex-keys.ts';
import { findKeyPairLists, isKeyPairList } from './key-pairs.ts';
import { LINE_MARK } from '../search/line-mark.ts';
import { literalSearch } from '../search/literal-search.ts';
import { findNamedPhrases, phraseOfMember } from './named-phrases.ts';
import { isSeedPhrase } from './seed-phrases.ts';
import { TextIndex } from '../text-index.ts';
import { findWalletKeys } from './wallet-keys.ts';

const headers = literalSearch('-----BEGIN ');
const footers = literalSearch('-----END ');
/** Also a key that both sides of OpenVPN have (openvpn.net/community-docs, --secret and --tls-auth). */
const header = /-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/y;
/** Of the shortest footer. */
const FOOTER_LENGTH = '-----END PRIVATE KEY-----'.length;
const footer = /-----END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/y;
/** The end of a line, and the indentation of the next one. */
const between = String.raw`(?:\s|\\[nr]){0,24}`;
// A line of base64. Inside JSON or a setting, line breaks are escaped as \n.
const line = new RegExp(String.raw`${between}(?:${LINE_MARK}\s{0,4})?[A-Za-z0-9+/=]{16,}`, 'y');
const lastLine = /(?:\s|\\[nr]){0,4}[A-Za-z0-9+/=]{1,15}$/y;

/** The PEM length of the largest RSA key in use, 16,384 bits, plus indentation. */
const MAX_KEY_LENGTH = 32_000;

/** The private part of a PuTTY key: https://tartarus.org/~simon/putty-snapshots/htmldoc/AppendixC.html */
const puttyHeaders = literalSearch('Private-Lines: ');
const puttyHeader = /Private-Lines: \d{1,3}(?=\s|\\[nr])/y;
const shortLine = new RegExp(
  String.raw`(?:\s|\\[nr])${between}(?:${LINE_MARK}\s{0,4})?[A-Za-z0-9+/=]{1,15}(?=\s|\\[nr]|["']|$)`,
  'y',
);

function puttyKeys(text: string): Finding[] {
  return puttyHeaders.positionsIn(text).flatMap((at) => {
    const start = endOf(puttyHeader, text, at);
    if (start === -1) return [];
    const lines = endOfAll(line, text, start);
    const end = Math.max(lines, endOf(shortLine, text, lines));
    return end > start ? [{ start, end }] : [];
  });
}

/** A private part of a JSON web key: base64url without padding (RFC 7518, 6). */
const webKeyPart = /^[\w-]{16,2000}$/;

/**
 * PEM, PGP and PuTTY private keys, including truncated ones, and those of JSON web keys and of
 * cryptocurrencies, also as seed phrases.
 */
export const privateKey: Detector = {
  type: 'PRIVATE_KEY',
  minLength: 28,
  find(text, ranges = new TextIndex(text)) {
    const findings: Finding[] = [];
    let ends: Passing | undefined;
    for (const start of headers.positionsIn(text)) {
      const body = endOf(header, text, start);
      if (body === -1 || start < (findings.at(-1)?.end ?? 0)) continue;
      ends ??= { positions: footers.positionsIn(text), passed: 0 };
      const endOfKey = endOfBlock(text, body, ends);
      const end = endOfKey ?? endOfLines(text, body);
      const isKey = endOfKey === undefined || keyText.test(text.slice(body, end - FOOTER_LENGTH));
      if (end > body && isKey) findings.push({ start, end });
    }
    return [
      ...findings,
      ...puttyKeys(text),
      ...findWalletKeys(text, ranges.keyRuns),
      ...findKeyPairLists(text, ranges.numbers),
      ...ranges.seedPhrases,
      ...findNamedPhrases(text, ranges.words('seed')),
    ].sort((a, b) => a.start - b.start);
  },
  // Members have such a name only because of a sibling: value-members.ts.
  ofMember: (member) =>
    member.startsWith('jwk.')
      ? (value) => webKeyPart.test(value)
      : (hexKeyOfMember(member) ?? phraseOfMember(member)),
  ofItems: (items) => isSeedPhrase(items) || isKeyPairList(items),
};

interface Passing {
  positions: readonly number[];
  passed: number;
}

/** No line of a key is shorter, so a block without one is an example, or code that writes a block. */
const keyText = /[A-Za-z\d+/=]{20}/;

/** Consumes the footers that it passes, so that each is visited once. */
function endOfBlock(text: string, body: number, footers: Passing): number | undefined {
  while ((footers.positions[footers.passed] ?? body) < body) footers.passed += 1;
  const at = footers.positions[footers.passed];
  if (at === undefined || at - body > MAX_KEY_LENGTH) return undefined;
  const end = endOf(footer, text, at);
  return end === -1 ? undefined : end;
}

function endOfLines(text: string, body: number): number {
  let end = body;
  for (let next = end; next !== -1; next = endOf(line, text, end)) end = next;
  return end > body ? Math.max(end, endOf(lastLine, text, end)) : end;
}
