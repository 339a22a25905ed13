import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { TimeChart } from '../charts/time-chart.tsx';
import type { AnalyticsAnswer, ChartKind, WidgetQuery } from '../data/dashboard-sources.ts';
import { Sparkline } from '../home/sparkline.tsx';
import { Clipped } from '../parts/badge.tsx';
import {
  changeOfMeasure,
  formatInShort,
  formatAxisTick,
  formatValue,
  tickUnit,
} from './analytics-format.ts';
import { seriesOf } from './answer-series.ts';
import type { AnswerSeries } from './answer-series.ts';
import { GroupTable } from './group-table.tsx';
import { isAdditive, isOverTime } from './query-words.ts';
import type { Slot } from '../charts/time-chart.tsx';
import { dateLocale } from '../language/locales.ts';
import { listLink } from './list-link.ts';
import './chart.css';

interface ChartProps {
  /** Accessible name of the chart. */
  title: string;
  kind: ChartKind;
  answer: AnalyticsAnswer;
  query: WidgetQuery;
  stale: boolean;
}

export function Chart(props: ChartProps) {
  const { kind, answer, query } = props;
  const series = seriesOf(answer, query);
  if (kind === 'number') return <NumberWithChange {...props} series={series} />;
  if (isOverTime(kind)) return <OverTime {...props} series={series} />;
  if (series.length === 0)
    return (
      <p className="muted">
        <Trans>No data in this period</Trans>
      </p>
    );
  return <GroupTable {...props} bars={kind === 'bar'} series={series} />;
}

interface DrawnProps extends ChartProps {
  series: readonly AnswerSeries[];
}

function NumberWithChange({ answer, series: [all] }: DrawnProps) {
  const { measure, unit, total } = answer;
  const change = changeOfMeasure({ measure, unit, compared: answer.previous !== null }, total);
  const value = formatValue(unit, total.value);
  return (
    <div className="number-widget">
      <p className="figure-value">{all?.link ? <Link to={all.link}>{value}</Link> : value}</p>
      {change && (
        <p className={`figure-change ${change.tone}`}>
          {change.text}
          {total.previous !== null && (
            <span className="muted">
              {' '}
              <Trans>· {formatValue(unit, total.previous)} before</Trans>
            </span>
          )}
        </p>
      )}
      {total.values.length > 1 && <Sparkline values={total.values} />}
    </div>
  );
}

function OverTime({ title, kind, answer, query, series, stale }: DrawnProps) {
  const { unit } = answer;
  const slots = slotsOf(answer, query);
  if (series.length === 0)
    return (
      <p className="muted">
        <Trans>No data in this period</Trans>
      </p>
    );
  return (
    <>
      <TimeChart
        label={title}
        kind={kind === 'stacked_bar' && isAdditive(answer.measure) ? 'columns' : 'line'}
        slots={slots}
        series={series}
        format={(value) => formatValue(unit, value)}
        formatTick={(value) => formatAxisTick(unit, value)}
        tickUnitOf={(most) => tickUnit(unit, most)}
      />
      {query.group_by !== 'none' && <Legend title={title} unit={unit} series={series} />}
      <details className="as-table">
        <summary>
          <Trans>Show as a table</Trans>
        </summary>
        <ByInterval {...{ title, answer, query, series, stale }} />
      </details>
    </>
  );
}

interface LegendProps {
  title: string;
  unit: AnalyticsAnswer['unit'];
  series: readonly AnswerSeries[];
}

const Legend = ({ title, unit, series }: LegendProps) => (
  <ul className="plain legend" aria-label={t`Legend of ${title}`}>
    {series.map(({ id, name, colour, value, link }) => (
      <li key={id}>
        <span className={`swatch series-${colour}`} aria-hidden="true" />
        {link ? (
          <Link to={link}>
            <Clipped text={name} />
          </Link>
        ) : (
          <Clipped text={name} />
        )}
        <span className="muted">{formatInShort(unit, value)}</span>
      </li>
    ))}
  </ul>
);

type IntervalProps = Omit<DrawnProps, 'kind'>;

/** The values of a chart as a table. */
function ByInterval({ title, answer, query, series, stale }: IntervalProps) {
  return (
    <div className="interval-table" role="region" aria-label={t`${title}, table`} tabIndex={0}>
      <table className={stale ? 'table stale' : 'table'} aria-label={t`${title} by interval`}>
        <thead>
          <tr>
            <th scope="col">{t`Interval (${answer.timezone})`}</th>
            {series.map(({ id, name }) => (
              <th key={id} scope="col" className="end">
                <Clipped text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slotsOf(answer, query).map(({ name }, at) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              {series.map(({ id, values }) => (
                <td key={id} className="end">
                  {formatInShort(answer.unit, values[at] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The intervals of an answer, formatted in its time zone. */
function slotsOf(answer: AnalyticsAnswer, query: WidgetQuery): Slot[] {
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
