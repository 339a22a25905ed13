import type { Detector } from './detector.ts';
import { encodedFindings } from './encoded.ts';
import { textIndexOf } from './text-index.ts';
import { mergeFindings, type TypedFinding } from './merge-findings.ts';

/** How many placeholders were put in, by type. */
export type Counts = Record<string, number>;

export const placeholderOf = (type: string): string => `##${type}##`;

const placeholder = /(##[A-Z][A-Z0-9_]*##)/;

/** Is the text one placeholder and nothing else? */
export const isPlaceholder = (text: string): boolean => /^##[A-Z][A-Z0-9_]*##$/.test(text);

/** What was masked makes new neighbours, among which something may show that was hidden before. */
const MAX_ROUNDS = 8;

/**
 * The text with a placeholder such as `##EMAIL##` for everything that the detectors find. What is
 * a placeholder already stays one: masking what was masked changes nothing.
 */
export function redactText(
  text: string,
  detectors: readonly Detector[],
): { text: string; counts: Counts } {
  const counts: Counts = {};
  return { text: redactInto(counts, text, detectors), counts };
}

/** As `redactText`, adding to counts that are already there. Answers the same text if none is. */
export function redactInto(counts: Counts, text: string, detectors: readonly Detector[]): string {
  if (detectors.length === 0) return text;
  if (!text.includes('##')) return redactPiece(counts, text, detectors, 0);
  return text
    .split(placeholder)
    .map((piece, index) => (index % 2 ? piece : redactPiece(counts, piece, detectors, 0)))
    .join('');
}

/** A piece without placeholders. What is left beside the findings is looked at again, alone. */
function redactPiece(
  counts: Counts,
  text: string,
  detectors: readonly Detector[],
  round: number,
): string {
  if (text === '' || round === MAX_ROUNDS) return text;
  const index = textIndexOf(text);
  const findings: TypedFinding[] = [];
  for (const detector of detectors) {
    const { type, shortest = 1 } = detector;
    if (text.length < shortest) continue;
    for (const { start, end } of detector.find(text, index)) findings.push({ type, start, end });
  }
  findings.push(...encodedFindings(text, detectors, index));
  if (findings.length === 0) return text;
  let redacted = '';
  let done = 0;
  for (const { type, start, end } of mergeFindings(findings)) {
    count(counts, type);
    redacted +=
      redactPiece(counts, text.slice(done, start), detectors, round + 1) + placeholderOf(type);
    done = end;
  }
  return redacted + redactPiece(counts, text.slice(done), detectors, round + 1);
}

export function count(counts: Counts, type: string): void {
  counts[type] = (counts[type] ?? 0) + 1;
}
