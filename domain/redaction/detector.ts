/** A place in a text: from `start` up to, not including, `end`, in UTF-16 code units. */
export interface Finding {
  start: number;
  end: number;
}

/** The places of a text that some detectors are limited to. */
export interface Places {
  /** Around digits that stand close to each other, as in every number with a fixed form. */
  readonly numbers: readonly Finding[];
  /** Runs of the characters of keys. Prose has few that are long enough for a key. */
  readonly keyRuns: readonly Finding[];
}

/** Finds what is of one type. What is found is never empty, and in the order of the text. */
export interface Detector {
  type: string;
  /** Fewer characters hold nothing of it. */
  shortest?: number;
  /** With the places of the text where it has to look, if they are known already. */
  find(text: string, places?: Places): Finding[];
  /**
   * For what is recognized by its name: what accepts the whole value of a member of this name, if its
   * values may be one at all.
   */
  ofMember?: (member: string) => ((value: string) => boolean) | undefined;
  /** It is so sure of what it finds that the names of members are redacted too. */
  inNames?: true;
}

export interface Shape {
  type: string;
  shortest?: number;
  /**
   * Global. What is found is its group `found`, which then stands at its end, or all of it. It must
   * not backtrack beyond a constant: every repetition is capped, and none holds another one with a
   * choice in it.
   */
  pattern: RegExp;
  /** Sticky. What else belongs to it as long as it follows: so it is found however long it is. */
  more?: RegExp;
  /** A cheap sign without which a text holds nothing of this shape. */
  sign?: RegExp;
  /** Is the candidate one? All are unless said. */
  accept?: (candidate: string) => boolean;
  inNames?: true;
}

/** A detector for what can be recognized by its shape. */
export const shaped = ({
  type,
  shortest = 1,
  pattern,
  more,
  sign,
  accept = () => true,
  inNames,
}: Shape): Detector => ({
  type,
  shortest,
  ...(inNames && { inNames }),
  find(text) {
    if (sign && !sign.test(text)) return [];
    const findings: Finding[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const candidate = match.groups?.['found'] ?? match[0];
      const start = pattern.lastIndex - candidate.length;
      if (!accept(candidate)) continue;
      if (more) pattern.lastIndex = endOfAll(more, text, pattern.lastIndex);
      findings.push({ start, end: pattern.lastIndex });
    }
    return findings;
  },
});

const isDigitCode = (code: number): boolean => code >= 48 && code <= 57;

export const isDigit = (text: string, at: number): boolean => isDigitCode(text.charCodeAt(at));

/** Is there a digit or a letter of ASCII? */
export function isAlphanumeric(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const lower = code | 0x20;
  return isDigitCode(code) || (lower >= 97 && lower <= 122);
}

/** The positions at which a piece of text stands. */
export function positionsOf(piece: string, text: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length))
    positions.push(at);
  return positions;
}

/** Where what a sticky pattern takes ends, when it is taken as often as there is any. */
function endOfAll(sticky: RegExp, text: string, at: number): number {
  let end = at;
  for (let next = end; next !== -1; next = endOf(sticky, text, end)) end = next;
  return end;
}

/** What a sticky pattern takes at a position: where it ends, or -1. */
export function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : -1;
}
