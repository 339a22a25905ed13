import type { AnalyticsAnswer, WidgetQuery } from '../data/dashboard-sources.ts';
import type { Slot } from '../charts/time-chart.tsx';
import { dateLocale } from '../language/locales.ts';
import { listLink } from './list-link.ts';

/** The intervals of an answer, in its time zone. */
export function slotsOf(answer: AnalyticsAnswer, query: WidgetQuery): Slot[] {
  const timeZone = answer.timezone;
  const day = new Intl.DateTimeFormat(dateLocale, { timeZone, day: 'numeric', month: 'short' });
  const time = new Intl.DateTimeFormat(dateLocale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  });
  const isLong = answer.intervals.length > 26;
  return answer.intervals.map(({ start, end }) => {
    const at = Date.parse(start);
    const date = day.format(at);
    const link = listLink(query, { start, end });
    if (query.interval === 'hour') {
      const hour = time.format(at);
      return { tick: isLong ? `${date} ${hour}` : hour, name: `${date}, ${hour}`, link };
    }
    if (query.interval === 'day') return { tick: date, name: date, link };
    return { tick: date, name: `${date} – ${day.format(Date.parse(end) - 1)}`, link };
  });
}
