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
  { name: 'Day (UTC)', cell: ({ date }) => formatDay(date) },
  { name: 'Calls', width: 74, align: 'end', cell: ({ calls }) => formatCount(calls) },
  { name: 'Tokens', width: 104, align: 'end', cell: ({ tokens }) => formatCountInShort(tokens) },
  { name: 'Cost', width: 106, align: 'end', cell: ({ cost }) => formatMoneyInShort(cost) },
];

/** Newest day first. An expanded day shows its models. */
export const DaysTable = ({ days }: { days: readonly DayUsage[] }) => (
  // Thirty days are taller than the chart beside them: the region scrolls, so it must take focus.
  <div className="days" role="region" aria-label="Days" tabIndex={0}>
    <DataTable
      label="Usage by day"
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
              {formatCount(tokens)} tokens, {formatMoney(cost)}
            </span>
          </li>
        ))}
    </ul>
  );
}
