import { RE2JS } from 're2js';

/** A pattern that an admin wrote, checked to be safe for any recorded text. */
export interface Pattern {
  name: string;
  source: string;
  matcher: RE2JS;
}

/**
 * The maximum number of instructions of a compiled pattern. The cost per character grows with it.
 */
const MAX_PROGRAM_SIZE = 500;
/** The maximum number of instructions of all patterns that run on the same texts. */
export const MAX_TOTAL_PROGRAM_SIZE = 2000;

/** Compiles a pattern whose matches will be replaced, or returns why it is refused. */
export function compilePattern(name: string, source: string): Pattern | { error: string } {
  const compiled = compileMatcher(source);
  if ('error' in compiled) return compiled;
  const { matcher } = compiled;
  if (matchesEmptyText(matcher)) return { error: 'matches the empty string' };
  return { name, source, matcher };
}

/**
 * Compiles a pattern of limited size that may match the empty string, or returns why it is refused.
 */
export function compileMatcher(source: string): { matcher: RE2JS } | { error: string } {
  // Checked before compiling, because compiling a large pattern takes long.
  if (repetitions(source) > MAX_PROGRAM_SIZE)
    return { error: `repeats more than ${MAX_PROGRAM_SIZE} times: use + or *` };
  try {
    const matcher = RE2JS.compile(source);
    if (matcher.programSize() > MAX_PROGRAM_SIZE)
      return {
        error: `is too complex: ${matcher.programSize()} steps, at most ${MAX_PROGRAM_SIZE}`,
      };
    return { matcher };
  } catch (error) {
    return { error: (error as Error).message.replace(/^error parsing regexp: /, '') };
  }
}

/** An upper bound of the counted repetitions. RE2 itself limits nested ones. */
const repetitions = (source: string): number =>
  [...source.matchAll(/\{(\d{1,9})?,?(\d{1,9})?\}/g)].reduce(
    (sum, [, least, most]) => sum + Number(most ?? least ?? 0),
    0,
  );

// The contexts on which an empty match can depend: the text's edge, a line end, a word character,
// another character.
const sides = ['', '\n', '_', 'Q', '¬'];

/**
 * Whether the pattern has an empty match in some context, which would insert placeholders between
 * letters.
 */
const matchesEmptyText = (matcher: RE2JS): boolean =>
  sides.some((before) =>
    sides.some((after) =>
      [...matcher.matchAll(before + after)].some(([matched]) => matched === ''),
    ),
  );

export interface NamedPattern {
  name: string;
  pattern: string;
}

export interface CompiledPatterns {
  usable: Pattern[];
  /** Patterns that were valid when they were saved but no longer compile. */
  refused: NamedPattern[];
}

export function compilePatterns(patterns: readonly NamedPattern[]): CompiledPatterns {
  const compiled = patterns.map(({ name, pattern }) => compilePattern(name, pattern));
  return {
    usable: compiled.filter((pattern) => 'matcher' in pattern),
    refused: patterns.filter((_, index) => 'error' in (compiled[index] ?? {})),
  };
}
