import { findSchemeParameters } from './authorization-parameters.ts';
import { findInCommands } from '../named-secrets/command-secrets.ts';
import { cookies, hasSecretCookie, isCookieValue, moreCookies } from './cookies.ts';
import { findParameters, isParameterName, isParameterValue } from './credential-parameters.ts';
import { type Detector, endOfAll, type Finding, regexDetector } from '../detector.ts';
import { literalSearch } from '../search/literal-search.ts';
import { isWords } from '../named-secrets/names.ts';
import { isTokenValue } from '../named-secrets/secret-value.ts';
import { wordsOfName } from '../named-secrets/secret-names.ts';
import { TextIndex } from '../text-index.ts';

const jsonOf = (base64url: string): unknown => {
  try {
    return JSON.parse(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
};

/** The header must be JSON that names an algorithm. The signature may be cut off. */
export const jwt = regexDetector({
  type: 'JWT',
  inNames: true,
  minLength: 18,
  prefilter: { test: literalSearch('eyJ').occursIn },
  // The second part is empty in an encrypted token whose key is shared (RFC 7518, 4.5).
  pattern:
    /(?<![\w-])eyJ[\w-]{10,4000}\.(?:[\w-]{4,4000}|\.[\w-]{16,1000}(?=\.[\w-]))(?:\.[\w-]{0,1000})?/g,
  continuation: /(?:\.?[\w-]){1,1000}/y,
  accept(candidate) {
    const claims = jsonOf(candidate.slice(0, candidate.indexOf('.')));
    return typeof claims === 'object' && claims !== null && 'alg' in claims;
  },
});

/** Names are tried at a word in them, before which their other words are. */
const authorizationName = String.raw`authorization(?<=(?<![a-z0-9])(?:proxy-)?authorization)`;
const keyName = String.raw`(?:key|token)(?<=(?<![a-z0-9])(?:x-(?:[a-z]{1,20}-){0,2}(?:api-)?(?:key|token)|api[-_]?key))`;
const bearer = String.raw`bearer(?<=(?<![a-z0-9])bearer) {1,3}`;
/** A directive of a server, with a scheme: `proxy_set_header Authorization "Basic …"`. */
const directed = String.raw`\s{1,3}["']?(?:basic|bearer)(?:\\ | {1,3})(?=[\w.~+/-]{8})`;
const assigned = String.raw`\\?["']?\s{0,3}(?:=|:(?!:))\s{0,3}\\?["']?`;
/** Any scheme (RFC 9110, 11.4) with a token, `Authorization: SSWS …`, but not one with parameters. */
const parameters = String.raw`[a-z][\w-]{1,30} {1,3}[a-z][\w-]{0,40}=(?![=\s',\\]|$)`;
const anyScheme = String.raw`(?!${parameters})(?:[a-z][\w-]{1,30} {1,3})?`;
const usualScheme = String.raw`(?:(?:bearer|basic|token|digest|api-?key) {1,3})?`;
const value = String.raw`[^\s"'\\,;<>&#]{8,1000}`;

/** Excludes prose such as `Authorization: required`, code such as `apiKey: settings.apiKey`, and templates. */
const looksRandom = (text: string): boolean =>
  (/\d/.test(text) || /[a-z][A-Z]|[A-Z][A-Z].?[a-z]/.test(text)) &&
  !schemeName.test(text) &&
  isTokenValue(text) &&
  !isAddress(text);

/** A scheme, whose token is masked already or a variable: `DeepL-Auth-Key`, `PVEAPIToken=${TOKEN}`. */
const schemeName =
  /^(?:[a-z]+(?:-[a-z]+)+$|[a-z]+(?:-[a-z]+)*(?:token|key)(?:=[$%{<].*|\W{0,3})$)/i;

/** The endpoint of a provider: `authorization: "https://example.com/oauth2/authorize"`. */
const isAddress = (text: string): boolean =>
  /^[a-z]{2,10}:\/\//i.test(text) && isWords(text.replaceAll(/[?=&+]/g, '/'));

/** A part of a request at a word: its value, and the rest of a value of any length. */
interface RequestPart {
  /** A sticky pattern, whose group `found` is at its end. */
  pattern: RegExp;
  continuation: RegExp;
  accept: (value: string) => boolean;
}

/** Values of headers. The name and the scheme are kept. */
const header: RequestPart = {
  pattern: new RegExp(
    `(?:${authorizationName}(?:${assigned}${anyScheme}|${directed})|${keyName}${assigned}${usualScheme}|${bearer})(?<found>${value})`,
    'iy',
  ),
  continuation: /[^\s"'\\,;<>&#]{1,1000}/y,
  accept: looksRandom,
};

/** `Cookie` and `Set-Cookie`. The name is kept. */
const cookieHeader: RequestPart = {
  pattern: new RegExp(
    String.raw`cookie(?<=(?<![a-z0-9])(?:set-)?cookie)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?<found>${cookies})`,
    'iy',
  ),
  continuation: moreCookies,
  accept: hasSecretCookie,
};

function findAt(
  { pattern, continuation, accept }: RequestPart,
  text: string,
  words: readonly number[],
): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const word of words) {
    if (word < done) continue;
    pattern.lastIndex = word;
    const found = pattern.exec(text)?.groups?.['found'];
    if (found === undefined) continue;
    done = pattern.lastIndex;
    const start = done - found.length;
    if (!accept(found)) continue;
    done = endOfAll(continuation, text, done);
    findings.push({ start, end: done });
  }
  return findings;
}

/** A scheme other than `Bearer`, which is detected in any text, and its parameters. */
const scheme = /^(?!bearer\b)[A-Za-z][\w-]{2,30} {1,3}(?=\S{8})/i;

/** Credentials of a request in headers, cookies, parameters and settings. */
export const authorization: Detector = {
  type: 'AUTHORIZATION',
  minLength: 14,
  inPairs: true,
  find: (text, { words } = new TextIndex(text)) =>
    [
      ...findAt(header, text, words('header')),
      ...findSchemeParameters(text, words('header')),
      ...findAt(cookieHeader, text, words('cookie')),
      ...findParameters(text),
      // The only program with such an option.
      ...(words('curl').length > 0 ? findInCommands('AUTHORIZATION', text) : []),
    ].sort((a, b) => a.start - b.start),
  ofMember(member) {
    if (isParameterName(member)) return isParameterValue;
    const last = wordsOfName(member.slice(-MAX_NAME_LENGTH)).at(-1) ?? '';
    if (/^cookies?$/.test(last)) return isCookieValue;
    if (last === 'authorization')
      return (value) => scheme.test(value) && looksRandom(value.slice(0, 1000));
    return undefined;
  },
};

const MAX_NAME_LENGTH = 80;
