import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { analytics } from '../data/dashboard-sources.ts';
import type { AnalyticsAnswer, AnalyticsFilters, Widget } from '../data/dashboard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatExact, formatPercent } from '../format.ts';
import { Loaded, Notice } from '../parts/notice.tsx';
import type { TimeRange } from '../time-range.ts';
import { Chart } from './chart.tsx';
import { queryOfWidget } from './fitting-query.ts';

interface WidgetViewProps {
  widget: Pick<Widget, 'title' | 'chart' | 'query'>;
  range: TimeRange;
  filters: AnalyticsFilters;
}

/** The chart of a widget, with notes about incomplete results. */
export function WidgetView({ widget, range, filters }: WidgetViewProps) {
  const [openedAt] = useState(() => Date.now());
  const query = queryOfWidget(widget, filters, range, openedAt);
  const reading = useQuery(analytics(query, range));
  return (
    <Loaded reading={reading}>
      {(answer) => (
        <>
          {answer.partial && <Notice tone="warn">{partialText(answer.partial)}</Notice>}
          <Chart
            title={widget.title}
            kind={widget.chart}
            // A stale answer has the groups and intervals of the previous query.
            query={reading.stale ? { ...query, ...shapeOf(answer) } : query}
            answer={answer}
            stale={reading.stale}
          />
          {noteOf(answer) !== '' && <p className="muted widget-note">{noteOf(answer)}</p>}
        </>
      )}
    </Loaded>
  );
}

const shapeOf = ({ groups, measure }: AnalyticsAnswer) =>
  groups.length === 0 ? { measure, group_by: 'none' as const } : { measure };

function partialText({ start, reason }: NonNullable<AnalyticsAnswer['partial']>): string {
  if (start === null) return t`Incomplete: ${reason}.`;
  const since = formatExact(Date.parse(start));
  return t`Incomplete: ${reason}, since ${since}.`;
}

function noteOf({ overlapping, precision }: AnalyticsAnswer): string {
  const share = precision === null ? '' : formatPercent(precision * 100).replace(/[.,]0%/, '%');
  const notes = [
    ...(overlapping ? [t`A run counts for each of its tags.`] : []),
    ...(precision === null ? [] : [t`Within ${share} of the exact value.`]),
  ];
  return notes.join(' ');
}
