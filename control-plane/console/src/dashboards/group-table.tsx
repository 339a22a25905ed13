import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { AnalyticsAnswer, WidgetQuery } from '../data/dashboard-sources.ts';
import { NONE } from '../format.ts';
import type { Change } from '../home/change.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { changeOfMeasure, formatInShort } from './analytics-format.ts';
import type { AnswerSeries } from './answer-series.ts';
import { groupingNames, measureNames } from './query-words.ts';
import './group-table.css';

interface GroupTableProps {
  title: string;
  answer: AnalyticsAnswer;
  query: WidgetQuery;
  series: readonly AnswerSeries[];
  /** Whether each value has a bar. */
  bars: boolean;
  stale: boolean;
}

/** Table of groups with values and changes. The names link to the lists. */
export const GroupTable = (props: GroupTableProps) => (
  <DataTable
    label={props.title}
    columns={columnsFor(props)}
    rows={props.series}
    rowKey={({ id }) => id}
    stale={props.stale}
  />
);

function columnsFor({ answer, query, series, bars }: GroupTableProps): Column<AnswerSeries>[] {
  const { measure, unit } = answer;
  const most = Math.max(...series.map(({ value }) => value ?? 0), 0);
  const name = query.group_by === 'none' ? t`Measure` : groupingNames[query.group_by];
  const names: Column<AnswerSeries> = { name, cell: (one) => <GroupName {...one} /> };
  const text = ({ value }: AnswerSeries) => formatInShort(unit, value);
  const values: Column<AnswerSeries> = bars
    ? {
        name: measureNames[measure],
        width: '38%',
        cell: (one) => <Bar part={most > 0 ? (one.value ?? 0) / most : 0} text={text(one)} />,
      }
    : { name: measureNames[measure], width: 120, align: 'end', cell: text };
  if (answer.previous === null) return [names, values];
  const change: Column<AnswerSeries> = {
    name: t`Change`,
    width: 118,
    cell: (one) => <ChangeText change={changeOfMeasure({ measure, unit, compared: true }, one)} />,
  };
  if (bars) return [names, values, change];
  const before: Column<AnswerSeries> = {
    name: t`Before`,
    width: 110,
    align: 'end',
    cell: ({ previous }) => formatInShort(unit, previous),
  };
  return [names, values, before, change];
}

const ChangeText = ({ change }: { change: Change | undefined }) => (
  <span className={`group-change change ${change?.tone ?? 'neutral'}`}>{change?.text ?? NONE}</span>
);

const GroupName = ({ name, link }: AnswerSeries) =>
  link ? (
    <Link to={link}>
      <Clipped text={name} />
    </Link>
  ) : (
    <Clipped text={name} />
  );

const Bar = ({ part, text }: { part: number; text: string }) => (
  <span className="group-bar">
    <span className="group-track" aria-hidden="true">
      <span style={{ width: `${part * 100}%` }} />
    </span>
    <span>{text}</span>
  </span>
);
