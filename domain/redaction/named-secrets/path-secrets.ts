import { runsWithin } from '../search/character-runs.ts';
import { membersOf } from '../search/code-units.ts';
import { endOf, endOfAll, type Finding } from '../detector.ts';
import { isGeneratedKey, isUuid } from './generated-key.ts';
import { isWords } from './names.ts';

/**
 * Secrets in a path after the segment that names them: `/reset-password/…`. Documentation has words,
 * parameters and numbers there (`/token/refresh`, `/token/:id`), so the value must look generated.
 * Shorter values, as of invitations with eight letters, look like slugs and stay.
 */
interface PathSecret {
  /** The source of a pattern for the segments before the value, without the slash after them. */
  before: string;
  /** A UUID is the secret itself. Under other names it is the id of an object. */
  withUuids?: true;
  source: string;
  /** The value is in brackets. */
  example: string;
  counterExample: string;
}

const TOKEN = 'Zk3f9Qx7LmPq2RtYv8Wn';
const UUID = '3f9a3f9a-5d1c-4c56-9a3e-1f2d3c4b5a69';

export const pathSecrets: readonly PathSecret[] = [
  {
    before: String.raw`(?:(?:re)?set|change|forgot(?:ten)?|recover|new|create)[-_]?password|password[-_]?(?:reset|recovery|setup|change)|password\/(?:reset|new|edit|set|change|confirm)|(?:verify|confirm|activate)(?:[-_]?(?:e-?mail|account|user))?|(?:e-?mail|account)[-_](?:verification|confirmation|activation)|(?:e-?mail|account)\/(?:verify|confirm|activate)|magic[-_]?link|(?:log|sign)[-_]?in[-_]?link`,
    withUuids: true,
    source: 'docs.djangoproject.com/en/5.2/topics/auth/default, laravel.com/docs/passwords',
    example: `https://app.example.com/reset-password/[${TOKEN}]?lang=en`,
    counterExample: 'https://app.example.com/password/reset/instructions-for-users-2',
  },
  {
    // Plural names are of collections, whose members have ids.
    before: String.raw`(?:(?:access|refresh|auth|api|share|reset|invite|session)[-_]?)?token|(?:api|access|secret|private)[-_]?key|secret|password|passwd|passphrase|invit(?:e|ation)`,
    source: 'OWASP ASVS 4.0.3, 8.3.1',
    example: `GET /api-key/[${TOKEN}]/usage`,
    counterExample: `GET /token/${UUID}, /tokens/${TOKEN}`,
  },
];

const befores = (paths: readonly PathSecret[]): RegExp =>
  new RegExp(`(?<=\\/(?:${paths.map(({ before }) => before).join('|')})\\\\?\\/)`, 'iy');
const anyPath = befores(pathSecrets);
const pathWithUuid = befores(pathSecrets.filter(({ withUuids }) => withUuids));

const MIN_LENGTH = 16;
const MAX_LENGTH = 1000;
const SLASH = 47;
const isOfSegment = membersOf(/[\w.+=~:-]/);
const continuation = /[\w%.=~-]{1,1000}/y;
/** 1 for the last characters of the names, which rules out most segments. */
const isEndOfName = membersOf(/[deklmnprtwy\\]/i);

/** The secrets among the segments of these runs of key characters, which contain all URLs. */
export const findInPaths = (text: string, keyRuns: readonly Finding[]): Finding[] =>
  keyRuns.flatMap((run) =>
    // A slash and the shortest value.
    run.end - run.start > MIN_LENGTH
      ? runsWithin(text, run, isOfSegment, MIN_LENGTH)
          .filter(({ start, end }) => isSecret(text, start, end))
          .map(({ start, end }) => ({ start, end: endOfAll(continuation, text, end) }))
      : [],
  );

function isSecret(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start - 1) !== SLASH || end - start > MAX_LENGTH) return false;
  // In JSON, slashes may be escaped.
  if (isEndOfName[text.charCodeAt(start - 2)] !== 1) return false;
  if (endOf(anyPath, text, start) === -1) return false;
  const value = text.slice(start, end).replace(/[.:]+$/, '');
  if (isUuid(value)) return endOf(pathWithUuid, text, start) !== -1;
  return !tokenAddress.test(value) && isGeneratedKey(value);
}

/** In explorers of blockchains, tokens have addresses: `solscan.io/token/…`. */
const tokenAddress = /^(?:0x[\da-f]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** At a word in the name of a password. */
const password = /(?<=\/)(?:password|passwd|passphrase|pass|pwd)\/(?=[^\s/?#"'<>&\\]{8})/iy;
const value = /[^\s/?#"'<>&\\]{8,100}/y;
const isEnding = membersOf(/[.,;:)\]}]/);

/** Passwords with a symbol in a path, as in a URL: `/password/hunter2!x`. */
export function findPasswordsInPaths(text: string, words: readonly number[]): Finding[] {
  return words.flatMap((at) => {
    const start = endOf(password, text, at);
    if (start === -1) return [];
    let end = endOf(value, text, start);
    while (end > start && isEnding[text.charCodeAt(end - 1)] === 1) end -= 1;
    return isPassword(text.slice(start, end)) ? [{ start, end }] : [];
  });
}

const isPassword = (text: string): boolean =>
  text.length >= 8 &&
  /\d/.test(text) &&
  /[A-Za-z]/.test(text) &&
  /[!@^~]|%[2-7][\dA-F]/.test(text) &&
  !/[{}[\]()<>*]/.test(text) &&
  !isWords(text);
