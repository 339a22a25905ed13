import type { Detector } from './detector.ts';
import { encodedFindings } from './encoded.ts';
import { TextIndex } from './text-index.ts';
import { mergeFindings, type TypedFinding } from './merge-findings.ts';

/** The number of inserted placeholders by type. */
export type Counts = Record<string, number>;

export const placeholderOf = (type: string): string => `##${type}##`;

const placeholder = /(##[A-Z][A-Z0-9_]*##)/;

/** Whether the whole text is one placeholder. */
export const isPlaceholder = (text: string): boolean => /^##[A-Z][A-Z0-9_]*##$/.test(text);

/** A replacement creates new neighbours, which may form another finding. */
const MAX_ROUNDS = 8;

/**
 * Replaces every finding with a placeholder such as `##EMAIL##`. Existing placeholders stay, so
 * redacting twice changes nothing.
 */
export function redactText(
  text: string,
  detectors: readonly Detector[],
): { text: string; counts: Counts } {
  const counts: Counts = {};
  return { text: redactInto(counts, text, detectors), counts };
}

/**
 * Like `redactText`, but adds to existing counts. Returns the same text if there are no findings.
 */
export function redactInto(counts: Counts, text: string, detectors: readonly Detector[]): string {
  if (detectors.length === 0 || text === '') return text;
  const redactPiece = (piece: string): string =>
    replaceFindings(counts, piece, detectors, findingsIn(piece, detectors), 1);
  if (!text.includes('##')) return redactPiece(text);
  return text
    .split(placeholder)
    .map((piece, index) => (index % 2 ? piece : redactPiece(piece)))
    .join('');
}

/** Replaces the findings in a text, then searches the remaining pieces again. */
function replaceFindings(
  counts: Counts,
  text: string,
  detectors: readonly Detector[],
  findings: readonly TypedFinding[],
  round: number,
): string {
  if (findings.length === 0) return text;
  const redactRest = (from: number, to: number): string => {
    const piece = text.slice(from, to);
    if (piece === '' || round === MAX_ROUNDS) return piece;
    const isNew = { start: from > 0, end: to < text.length };
    const edgeFindings = findingsAtEdges(piece, detectors, isNew);
    return replaceFindings(counts, piece, detectors, edgeFindings, round + 1);
  };
  let redacted = '';
  let done = 0;
  for (const { type, start, end } of mergeFindings(findings)) {
    count(counts, type);
    redacted += redactRest(done, start) + placeholderOf(type);
    done = end;
  }
  return redacted + redactRest(done, text.length);
}

function findingsIn(text: string, detectors: readonly Detector[]): TypedFinding[] {
  const ranges = new TextIndex(text);
  const findings: TypedFinding[] = [];
  for (const detector of detectors) {
    const { type, minLength = 1 } = detector;
    if (text.length < minLength) continue;
    for (const { start, end } of detector.find(text, ranges)) findings.push({ type, start, end });
  }
  findings.push(...encodedFindings(text, detectors, ranges));
  return findings;
}

/** The distance from a placeholder within which its insertion can reveal a new finding. */
const EDGE_MARGIN = 2500;
/** How far beyond its findings a detector may read. */
const LOOKAROUND = 1200;

/**
 * Findings near the new edges of a piece; the rest was searched before. If a finding is close to
 * the end of the searched margin, the whole piece is searched.
 */
function findingsAtEdges(
  text: string,
  detectors: readonly Detector[],
  isNew: { start: boolean; end: boolean },
): TypedFinding[] {
  if (text.length <= 2 * EDGE_MARGIN) return findingsIn(text, detectors);
  const tailAt = text.length - EDGE_MARGIN;
  const head = isNew.start ? findingsIn(text.slice(0, EDGE_MARGIN), detectors) : [];
  const tail = isNew.end ? findingsIn(text.slice(tailAt), detectors) : [];
  const mayContinue =
    head.some(({ end }) => end > EDGE_MARGIN - LOOKAROUND) ||
    tail.some(({ start }) => start < LOOKAROUND);
  if (mayContinue) return findingsIn(text, detectors);
  return [
    ...head,
    ...tail.map(({ type, start, end }) => ({ type, start: start + tailAt, end: end + tailAt })),
  ];
}

export function count(counts: Counts, type: string): void {
  counts[type] = (counts[type] ?? 0) + 1;
}
