import { compilePattern, type Pattern } from './pattern.ts';

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
    refused: patterns.filter((_, index) => 'refusal' in (compiled[index] ?? {})),
  };
}
