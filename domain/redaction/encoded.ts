import { type Detector, endOf, type Finding, type SearchRanges } from './detector.ts';
import type { TypedFinding } from './merge-findings.ts';
import { runsOf } from './search/character-runs.ts';
import { TextIndex } from './text-index.ts';

/** The encoded length of eighteen bytes, the shortest secret that is detected in plain text. */
const MIN_BASE64_LENGTH = 24;
const base64Runs = runsOf(/[A-Za-z0-9+/_-]/, MIN_BASE64_LENGTH);
const base64Segments = runsOf(/[A-Za-z0-9+_-]/, MIN_BASE64_LENGTH);

/** Minimum length of values in URLs and forms. */
const MIN_ESCAPED_LENGTH = 8;
const escape = /%[0-9A-Fa-f]{2}/g;
const escapedBefore = /[A-Za-z0-9%._~!*'()+:@$-]/;
const escapedAfter = /[A-Za-z0-9%._~!*'()+:@$-]{1,1000}/y;

const padding = /={0,2}/y;

/** The start of base64 data that shows whether it encodes text. */
const SAMPLE = 64;

/**
 * Parts in base64 or with URL escapes whose decoded text contains findings. The whole part becomes
 * one finding. Doubly encoded text is not decoded twice.
 */
export function encodedFindings(
  text: string,
  detectors: readonly Detector[],
  ranges: SearchRanges = new TextIndex(text),
): TypedFinding[] {
  const findings: TypedFinding[] = [];
  const addFindings = (
    runs: Iterable<Finding>,
    decode: (piece: string) => string | undefined,
  ): void => {
    for (const { start, end } of runs) {
      const decoded = decode(text.slice(start, end));
      const type = decoded && detectType(decoded, detectors);
      if (type) findings.push({ type, start, end: endOf(padding, text, end) });
    }
  };
  if (ranges.keyRuns.length > 0) addFindings(base64In(text, ranges.keyRuns), textOfBase64);
  if (text.includes('%')) addFindings(escapedIn(text), textOfEscapes);
  return findings;
}

/** The characters of base64 are a subset of the key characters. */
function* base64In(text: string, keyRuns: readonly Finding[]): Generator<Finding> {
  for (const run of keyRuns) {
    if (run.end - run.start < MIN_BASE64_LENGTH) continue;
    for (const { start, end } of base64Runs(text.slice(run.start, run.end)))
      yield* base64OrSegments(text, { start: run.start + start, end: run.start + end });
  }
}

/** The run, or its parts between slashes: `/` is a character of base64, but also separates paths. */
function* base64OrSegments(text: string, run: Finding): Generator<Finding> {
  const piece = text.slice(run.start, run.end);
  if (beginsLikeText(piece) || !piece.includes('/')) return yield run;
  for (const { start, end } of base64Segments(piece))
    yield { start: run.start + start, end: run.start + end };
}

/** The URL characters around each escape. */
function* escapedIn(text: string): Generator<Finding> {
  let end = 0;
  for (const { index } of text.matchAll(escape)) {
    if (index < end) continue;
    let start = index;
    while (start > end && escapedBefore.test(text.charAt(start - 1))) start -= 1;
    for (let next = index; next !== -1; next = endOf(escapedAfter, text, end)) end = next;
    if (end - start >= MIN_ESCAPED_LENGTH) yield { start, end };
  }
}

function detectType(text: string, detectors: readonly Detector[]): string | undefined {
  const ranges = new TextIndex(text);
  return detectors.find(
    (detector) =>
      text.length >= (detector.minLength ?? 1) && detector.find(text, ranges).length > 0,
  )?.type;
}

/**
 * The text that the data encodes; undefined if it encodes other data. Only the start decides: bytes
 * further on that are not text do not hide the rest.
 */
export function textOfBase64(piece: string): string | undefined {
  if (!beginsLikeText(piece) || !isText(piece.slice(0, SAMPLE))) return undefined;
  return new TextDecoder().decode(bytesOf(piece), { stream: true });
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Uint8Array(128);
for (let code = 0; code < ALPHABET.length; code += 1) sextets[ALPHABET.charCodeAt(code)] = code;
sextets['-'.charCodeAt(0)] = 62;
sextets['_'.charCodeAt(0)] = 63;

/** Whether the first bytes contain no control characters, and non-ASCII bytes are valid UTF-8. */
function beginsLikeText(base64: string): boolean {
  let continuing = 0;
  for (let at = 0; at + 1 < MIN_BASE64_LENGTH; at += 1) {
    if (at % 4 === 3) continue;
    const shift = (at % 4) * 2;
    const bits = sextetAt(base64, at) * 64 + sextetAt(base64, at + 1);
    const byte = (bits >> (4 - shift)) & 0xff;
    if (continuing > 0 !== (byte >= 0x80 && byte < 0xc0)) return false;
    if (isControl(byte) || byte >= 0xf8) return false;
    continuing = continuing > 0 ? continuing - 1 : Math.max(0, Math.clz32(~byte << 24) - 1);
  }
  return true;
}

const sextetAt = (base64: string, at: number): number => sextets[base64.charCodeAt(at)] ?? 0;

const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13);

function isText(base64: string): boolean {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return isPrintable(decoder.decode(bytesOf(base64), { stream: true }));
  } catch {
    return false;
  }
}

/** The padding is not part of a run. One character that is left over encodes no byte. */
function bytesOf(base64: string): Uint8Array {
  const length = base64.length % 4 === 1 ? base64.length - 1 : base64.length;
  const binary = atob(base64.slice(0, length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

const isPrintable = (text: string): boolean => !/(?![\t\n\r])\p{Cc}/u.test(text);

/** Capped, because the engine remembers each repetition. */
const escapes = /(?:%[0-9A-Fa-f]{2}){1,4000}/g;

/** Escapes that are no UTF-8 become U+FFFD, so they do not hide the others. */
export function textOfEscapes(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece.replace(escapes, lossyTextOf);
  }
}

function lossyTextOf(escaped: string): string {
  const bytes = new Uint8Array(escaped.length / 3);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = Number.parseInt(escaped.slice(3 * at + 1, 3 * at + 3), 16);
  return new TextDecoder().decode(bytes);
}
