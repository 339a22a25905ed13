import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Rejection, UnmappedName } from '../data/otel-sources.ts';
import { formatCountInShort, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import type { Column } from '../parts/data-table.tsx';
import { instrumentationOf, typeOfExample } from './occurrence-words.ts';

type Occurrence = UnmappedName | Rejection;

export const keyOfOccurrence = (name: string, scope: string): string =>
  JSON.stringify([name, scope]);

const instrumentation: Column<Occurrence> = {
  name: t`Instrumentation`,
  width: '20%',
  wideOnly: true,
  cell: (one) => <Clipped text={instrumentationOf(one) || NONE} />,
};

const shared: readonly Column<Occurrence>[] = [
  {
    name: t`Last run`,
    width: 104,
    cell: ({ run_id: id }) =>
      id === null ? (
        NONE
      ) : (
        <Link to={`/runs/${id}`}>
          <Trans>Run {id}</Trans>
        </Link>
      ),
  },
  { name: t`Count`, width: 84, align: 'end', cell: ({ count }) => formatCountInShort(count) },
  { name: t`Last seen`, width: 108, cell: ({ last_seen }) => <Ago at={last_seen} /> },
];

export const unmappedColumns: readonly Column<UnmappedName>[] = [
  { name: t`Name`, cell: ({ name }) => <Clipped mono text={name} /> },
  { name: t`Last value`, width: '26%', cell: (one) => <LastValue one={one} /> },
  instrumentation,
  ...shared,
];

export const rejectionColumns: readonly Column<Rejection>[] = [
  { name: t`Reason`, cell: ({ reason }) => <Clipped text={reason} /> },
  instrumentation,
  ...shared,
];

function LastValue({ one: { example } }: { one: UnmappedName }) {
  if (example === null) return NONE;
  if (example.text !== null) return <Clipped mono text={example.text} />;
  return (
    <span className="muted">
      <Clipped text={typeOfExample(example)} />
    </span>
  );
}
