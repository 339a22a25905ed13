import { plural } from '@lingui/core/macro';
import type { AnalyticsAnswer, WidgetQuery } from '../data/dashboard-sources.ts';
import { OWN_COLOURS } from '../charts/chart-rules.ts';
import { listLink } from './list-link.ts';
import { measureNames } from './query-words.ts';

/** One group of an answer, all other groups together, or the total. */
export interface AnswerSeries {
  id: string;
  name: string;
  colour: number;
  value: number | null;
  previous: number | null;
  values: readonly (number | null)[];
  link: string | undefined;
}

export function seriesOf(answer: AnalyticsAnswer, query: WidgetQuery): AnswerSeries[] {
  const { groups, other, total, period } = answer;
  if (query.group_by === 'none')
    return [
      {
        ...total,
        id: 'all',
        name: measureNames[answer.measure],
        colour: 0,
        link: listLink(query, period),
      },
    ];
  const named = groups.map(({ key, label, ...figure }, at) => ({
    ...figure,
    id: `group ${key ?? ''}${key === null}`,
    name: key === null ? 'none' : label,
    colour: Math.min(at, OWN_COLOURS),
    link: listLink(query, period, key),
  }));
  if (!other) return named;
  const { group_count, ...figure } = other;
  return [
    ...named,
    {
      ...figure,
      id: 'other',
      name: plural(group_count, { one: '# other', other: '# others' }),
      colour: OWN_COLOURS,
      link: undefined,
    },
  ];
}
