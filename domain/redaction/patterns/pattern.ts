import { RE2JS } from 're2js';

/** A pattern that an admin wrote, and that is safe to run on whatever is recorded. */
export interface Pattern {
  name: string;
  source: string;
  matcher: RE2JS;
}

/** Instructions of the compiled pattern. What a character costs grows with them. */
const LARGEST = 500;
/** Of all patterns together that are run on the same texts. */
export const LARGEST_TOGETHER = 2000;

/** A pattern whose matches are replaced, made ready, or why it is refused. */
export function compilePattern(name: string, source: string): Pattern | { error: string } {
  const compiled = compileMatcher(source);
  if ('error' in compiled) return compiled;
  const { matcher } = compiled;
  if (matchesNothing(matcher)) return { error: 'also matches where there is nothing' };
  return { name, source, matcher };
}

/** A pattern of limited size, which may match nothing, or why it is refused. */
export function compileMatcher(source: string): { matcher: RE2JS } | { error: string } {
  // Before compiling, which takes as long as the pattern grows large.
  if (repetitions(source) > LARGEST)
    return { error: `repeats more than ${LARGEST} times: use + or *` };
  try {
    const matcher = RE2JS.compile(source);
    if (matcher.programSize() > LARGEST)
      return { error: `is too complex: ${matcher.programSize()} steps, at most ${LARGEST}` };
    return { matcher };
  } catch (error) {
    return { error: (error as Error).message.replace(/^error parsing regexp: /, '') };
  }
}

/** What the counted repetitions come to at most; RE2 itself bounds those within others. */
const repetitions = (source: string): number =>
  [...source.matchAll(/\{(\d{1,9})?,?(\d{1,9})?\}/g)].reduce(
    (sum, [, least, most]) => sum + Number(most ?? least ?? 0),
    0,
  );

// What an empty match can depend on: nothing, the end of a line, a word or another character on
// either side.
const sides = ['', '\n', '_', 'Q', '¬'];

/** Would the pattern match an empty piece of some text, and so put a placeholder between letters? */
const matchesNothing = (matcher: RE2JS): boolean =>
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
  /** Those that could be saved once but no longer run. */
  refused: NamedPattern[];
}

export function compilePatterns(patterns: readonly NamedPattern[]): CompiledPatterns {
  const compiled = patterns.map(({ name, pattern }) => compilePattern(name, pattern));
  return {
    usable: compiled.filter((pattern) => 'matcher' in pattern),
    refused: patterns.filter((_, index) => 'error' in (compiled[index] ?? {})),
  };
}
