import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { analytics } from '../data/dashboard-sources.ts';
import type { WidgetQuery } from '../data/dashboard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMoney } from '../format.ts';
import { useToday } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { dateLocale } from '../language/locales.ts';
import { forecastOf, startOfMonth } from './month-rules.ts';

const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', timeZone: 'UTC' });

/** The cost of this month so far, and the forecast for its end. */
export function MonthForecast({ agent }: { agent: string }) {
  const today = Date.parse(useToday());
  const query: WidgetQuery = {
    measure: 'cost',
    group_by: 'none',
    interval: 'none',
    filters: agent ? { agent } : {},
    top: 1,
  };
  const start = new Date(startOfMonth(today)).toISOString();
  const reading = useQuery(analytics(query, { start }));
  const name = month.format(today);
  return (
    <section className="card" aria-label={t`Forecast`}>
      <h2>
        <Trans>Forecast for {name}</Trans>
      </h2>
      <Loaded reading={reading}>
        {({ at, total }) => {
          const spent = total.value ?? 0;
          const forecast = forecastOf(spent, Date.parse(at));
          return (
            <>
              <p className="cost-figure">{forecast ? `≈ ${formatMoney(forecast.cost)}` : '–'}</p>
              <p className="muted">{noteOf(formatMoney(spent), forecast)}</p>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function noteOf(spent: string, forecast: ReturnType<typeof forecastOf>): string {
  if (!forecast)
    return t`${spent} spent since midnight (UTC). The first day of a month is too short for a forecast.`;
  const elapsed = forecast.elapsed.toFixed(1);
  return t`${spent} spent in ${elapsed} of ${forecast.days} days (UTC), continued at the same rate.`;
}
