import { plural, t } from '@lingui/core/macro';

/** Describes a change from one period to the next. */
export interface Change {
  text: string;
  tone: 'neutral' | 'good' | 'bad';
}

const percentTexts = {
  more: (percent: number) => t`${percent}% more`,
  less: (percent: number) => t`${percent}% less`,
  fewer: (percent: number) => t`${percent}% fewer`,
  slower: (percent: number) => t`${percent}% slower`,
  faster: (percent: number) => t`${percent}% faster`,
  higher: (percent: number) => t`${percent}% higher`,
  lower: (percent: number) => t`${percent}% lower`,
} as const;
type Word = keyof typeof percentTexts;

export interface Words {
  up: Word;
  down: Word;
  /** The direction that counts as better; without it, the change is neutral. */
  better?: 'up' | 'down';
}

/** Above this percentage, a factor is easier to read. */
const MAX_PERCENT = 400;

/** Describes the change of a number relative to the previous one. */
export function changeOf(now: number, before: number, words: Words): Change {
  if (now === before) return { text: t`no change`, tone: 'neutral' };
  const tone = toneOf(now > before, words);
  if (before === 0) return { text: t`previously none`, tone };
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return { text: t`no change`, tone: 'neutral' };
  if (percent > MAX_PERCENT) return { text: timesOf(now / before), tone };
  return { text: percentTexts[percent > 0 ? words.up : words.down](Math.abs(percent)), tone };
}

function timesOf(factor: number): string {
  const times = Math.round(factor);
  return factor > 100 ? t`over 100 times as much` : t`${times} times as much`;
}

/** Describes the change of a rate from 0 to 1, in percentage points. */
export function changeInPoints(now: number | null, before: number | null): Change {
  if (now === null || before === null) return { text: noComparison, tone: 'neutral' };
  const points = Math.round((now - before) * 1000) / 10;
  if (points === 0) return { text: t`no change`, tone: 'neutral' };
  const size = Math.abs(points);
  return {
    text:
      points > 0
        ? plural(size, { one: '# point higher', other: '# points higher' })
        : plural(size, { one: '# point lower', other: '# points lower' }),
    tone: toneOf(points > 0, { better: 'down' }),
  };
}

/** Describes the change of a duration. */
export function changeOfDuration(now: number | null, before: number | null): Change {
  if (now === null || before === null) return { text: noComparison, tone: 'neutral' };
  return changeOf(now, before, { up: 'slower', down: 'faster', better: 'down' });
}

const noComparison = t`no previous value`;

function toneOf(isUp: boolean, { better }: Pick<Words, 'better'>): Change['tone'] {
  if (!better) return 'neutral';
  return isUp === (better === 'up') ? 'good' : 'bad';
}
