import { type Detector, endOf, type Finding } from './detector.ts';
import type { TypedFinding } from './merge-findings.ts';
import { runsOf } from './runs.ts';

/** Eighteen bytes: less holds no secret that would not be missed in plain text too. */
const base64Runs = runsOf(/[A-Za-z0-9+/_-]/, 24);
/** Values within addresses and forms. */
const escapedRuns = runsOf(/[A-Za-z0-9%._~!*'()+:@$-]/, 8);

const padding = /={0,2}/y;

/** So much of larger data is looked into. */
const LONGEST = 65_536;
/** The beginning of base64 shows whether it is text at all. */
const SAMPLE = 64;

/**
 * Pieces in base64 or with URL escapes that hold what the detectors find once they are decoded. Such
 * a piece is a finding as a whole. What is encoded twice is not looked into.
 */
export function encodedFindings(text: string, detectors: readonly Detector[]): TypedFinding[] {
  const findings: TypedFinding[] = [];
  const look = (runs: Iterable<Finding>, decode: (piece: string) => string | undefined): void => {
    for (const { start, end } of runs) {
      const decoded = decode(text.slice(start, Math.min(end, start + LONGEST)));
      const type = decoded && typeFound(decoded, detectors);
      if (type) findings.push({ type, start, end: endOf(padding, text, end) });
    }
  };
  look(base64Runs(text), fromBase64);
  if (text.includes('%')) look(escapedRuns(text), fromEscapes);
  return findings;
}

const typeFound = (text: string, detectors: readonly Detector[]): string | undefined =>
  detectors.find(
    (detector) => text.length >= (detector.shortest ?? 1) && detector.find(text).length > 0,
  )?.type;

function fromBase64(piece: string): string | undefined {
  const sample = piece.length > SAMPLE ? textOf(piece.slice(0, SAMPLE)) : undefined;
  return piece.length > SAMPLE && sample === undefined ? undefined : textOf(piece);
}

/** The text that base64 stands for, but for a character that is cut off at its end. */
function textOf(base64: string): string | undefined {
  const whole = base64.length - (base64.length % 4);
  try {
    const binary = atob(base64.slice(0, whole).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return isPrintable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

const isPrintable = (text: string): boolean => !/(?![\t\n\r])\p{Cc}/u.test(text);

function fromEscapes(piece: string): string | undefined {
  if (!/%[0-9A-Fa-f]{2}/.test(piece)) return undefined;
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}
