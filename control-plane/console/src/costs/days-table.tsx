import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  formatCount,
  formatCountInShort,
  formatDay,
  formatMoney,
  formatMoneyInShort,
} from '../format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Text } from '../parts/text.tsx';
import type { DayUsage } from './usage-by-day.ts';
import './days-table.css';

const columns: Column<DayUsage>[] = [
  { name: t`Day (UTC)`, cell: ({ date }) => formatDay(date) },
  { name: t`Calls`, width: 74, align: 'end', cell: ({ calls }) => formatCount(calls) },
  { name: t`Tokens`, width: 104, align: 'end', cell: ({ tokens }) => formatCountInShort(tokens) },
  { name: t`Cost`, width: 106, align: 'end', cell: ({ cost }) => formatMoneyInShort(cost) },
];

/** Table of the days, newest first. An expanded row shows the models. */
export const DaysTable = ({ days }: { days: readonly DayUsage[] }) => (
  // Thirty days are taller than the chart beside them. The region scrolls, so it must be focusable.
  <div className="days" role="region" aria-label={t`Days`} tabIndex={0}>
    <DataTable
      label={t`Usage by day`}
      columns={columns}
      rows={days.toReversed()}
      rowKey={({ date }) => date}
      detail={modelsOf}
    />
  </div>
);

function modelsOf({ models }: DayUsage) {
  if (models.length === 0) return null;
  return (
    <ul className="plain day-models">
      {models
        .toSorted((a, b) => b.cost - a.cost || b.tokens - a.tokens)
        .map(({ model, cost, tokens }) => (
          <li key={model}>
            <span className="mono">
              <Text>{model}</Text>
            </span>
            <span className="muted">
              <Trans>
                {formatCount(tokens)} tokens, {formatMoney(cost)}
              </Trans>
            </span>
          </li>
        ))}
    </ul>
  );
}
