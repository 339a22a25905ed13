import type { Actor, Check } from './check.ts';
import { formatTime, plural } from './format.ts';

export interface Examination {
  /** ms */
  at: number;
  checks: readonly Check[];
}

const actors: Record<Actor, string> = {
  IT: 'IT',
  admin: 'Administrator, in the console',
  user: 'You',
};

const marks: Record<Check['state'], string> = {
  ok: 'ok           ',
  problem: 'PROBLEM      ',
  'not checked': 'not checked  ',
};

export const problemsIn = (checks: readonly Check[]): Check[] =>
  checks.filter(({ state }) => state === 'problem');

/** The page for people: one line per check, and below a problem how to fix it. */
export function writePage({ at, checks }: Examination): string {
  const lines = checks.flatMap((check) => [
    `${marks[check.state]}${check.seen}`,
    ...(check.advice
      ? [`${' '.repeat(13)}→ ${actors[check.advice.who]}: ${check.advice.what}`]
      : []),
  ]);
  return [`Examined on ${formatTime(at)}.`, '', ...lines, '', summary(checks), ''].join('\n');
}

/** Later checks depend on earlier ones, so the first problem should be fixed first. */
function summary(checks: readonly Check[]): string {
  const [first, ...more] = problemsIn(checks);
  if (!first) return 'No problem was found.';
  const begin = more.length > 0 ? ' Begin with the first: it may be the cause of the others.' : '';
  return `${plural(1 + more.length, 'problem')} found.${begin}`;
}

/** Writes the same page as JSON, for support and programs. */
export const writeJson = ({ at, checks }: Examination): string =>
  `${JSON.stringify(
    { examined_at: new Date(at).toISOString(), problems: problemsIn(checks).length, checks },
    null,
    2,
  )}\n`;
