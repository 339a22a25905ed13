import type { Run } from '../data/sources.ts';
import { formatCount, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';

type Score = Run['scores'][number];

const columns: Column<Score>[] = [
  { name: 'Score', width: '24%', cell: ({ name }) => <Clipped text={name} /> },
  { name: 'Value', width: 120, cell: (score) => <Clipped text={valueOf(score)} /> },
  { name: 'Source', width: 110, cell: ({ source }) => source },
  { name: 'Comment', cell: ({ comment }) => <Clipped text={comment ?? none} /> },
  { name: 'Recorded', width: 120, cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function Scores({ scores }: { scores: readonly Score[] }) {
  return (
    <Section
      title="Scores"
      count={formatCount(scores.length)}
      empty={scores.length === 0 && 'This run has no score.'}
    >
      <DataTable label="Scores" columns={columns} rows={scores} rowKey={({ id }) => id} />
    </Section>
  );
}

const valueOf = ({ numeric_value, string_value }: Score): string =>
  numeric_value === null ? (string_value ?? none) : String(numeric_value);
