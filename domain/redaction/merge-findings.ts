import type { Finding } from './detector.ts';

export interface TypedFinding extends Finding {
  type: string;
}

/**
 * Merges overlapping findings, so that every character of each is covered. The result has the type
 * of the longest finding, or of the first one if several are equally long.
 */
export function mergeFindings(findings: readonly TypedFinding[]): TypedFinding[] {
  const merged: TypedFinding[] = [];
  let longest = 0;
  let rank = 0;
  for (const { finding, index } of inOrder(findings)) {
    const last = merged.at(-1);
    const length = finding.end - finding.start;
    const overlaps = last !== undefined && finding.start < last.end;
    if (overlaps) last.end = Math.max(last.end, finding.end);
    else merged.push({ ...finding });
    if (overlaps && (length < longest || (length === longest && index > rank))) continue;
    if (overlaps) last.type = finding.type;
    longest = length;
    rank = index;
  }
  return merged;
}

const inOrder = (findings: readonly TypedFinding[]) =>
  findings
    .map((finding, index) => ({ finding, index }))
    .sort((a, b) => a.finding.start - b.finding.start || a.index - b.index);
