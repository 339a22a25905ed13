import type { Log } from '../log.ts';

export interface Problems {
  /** Sets the current problems of this part; an empty or missing list means that the part works. */
  set(part: string, lines?: readonly string[]): void;
  /** Returns all current problems, one line each, without those of the excluded parts. */
  list(excludedParts?: readonly string[]): string[];
}

/**
 * Holds the current problems. A line is logged when it is new for its part, not each time it
 * recurs, and its end is logged once: `enroll: works again`.
 */
export function createProblems(log: Log, onChange: () => void = () => {}): Problems {
  const byPart = new Map<string, string[]>();
  return {
    set(part, lines = []) {
      const before = byPart.get(part) ?? [];
      const now = [...new Set(lines.map((line) => log.sanitize(`${part}: ${line}`)))];
      if (now.length === before.length && now.every((line, i) => line === before[i])) return;
      if (now.length === 0) byPart.delete(part);
      else byPart.set(part, now);
      for (const line of now) if (!before.includes(line)) log.error(line);
      if (now.length === 0) log.info(`${part}: works again`);
      onChange();
    },
    list: (excludedParts = []) =>
      [...byPart].flatMap(([part, lines]) => (excludedParts.includes(part) ? [] : lines)),
  };
}
