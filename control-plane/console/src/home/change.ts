import { formatMany } from '../format.ts';

/** What a change from one period to the next means. */
export interface Change {
  text: string;
  tone: 'neutral' | 'good' | 'bad';
}

interface Words {
  up: string;
  down: string;
  /** Default: neither is good or bad. */
  better?: 'up' | 'down';
}

/** Above this, a factor is easier to read than a percentage. */
const MOST_PERCENT = 400;

/** The change of a number, relative to the one before. */
export function changeOf(now: number, before: number, words: Words): Change {
  if (now === before) return { text: 'no change', tone: 'neutral' };
  const tone = toneOf(now > before, words);
  if (before === 0) return { text: 'none before', tone };
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return { text: 'no change', tone: 'neutral' };
  if (percent > MOST_PERCENT) return { text: timesOf(now / before), tone };
  return { text: `${Math.abs(percent)}% ${percent > 0 ? words.up : words.down}`, tone };
}

const timesOf = (factor: number): string =>
  factor > 100 ? 'over 100 times as much' : `${Math.round(factor)} times as much`;

/** The change of a rate from 0 to 1, in percentage points. */
export function changeInPoints(now: number | null, before: number | null): Change {
  if (now === null || before === null) return { text: NOTHING_BEFORE, tone: 'neutral' };
  const points = Math.round((now - before) * 1000) / 10;
  if (points === 0) return { text: 'no change', tone: 'neutral' };
  const words = { up: 'higher', down: 'lower', better: 'down' } as const;
  const size = formatMany(Math.abs(points), 'point');
  return {
    text: `${size} ${points > 0 ? words.up : words.down}`,
    tone: toneOf(points > 0, words),
  };
}

/** The change of a duration. */
export function changeOfDuration(now: number | null, before: number | null): Change {
  if (now === null || before === null) return { text: NOTHING_BEFORE, tone: 'neutral' };
  return changeOf(now, before, { up: 'slower', down: 'faster', better: 'down' });
}

const NOTHING_BEFORE = 'nothing to compare with';

function toneOf(isUp: boolean, { better }: Words): Change['tone'] {
  if (!better) return 'neutral';
  return isUp === (better === 'up') ? 'good' : 'bad';
}
