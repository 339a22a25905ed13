import type { Run } from '../data/sources.ts';
import { formatCount, formatDuration, none } from '../format.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Json } from '../parts/json.tsx';
import { Section } from '../parts/section.tsx';
import { layOut } from './span-timeline.ts';
import type { Bar } from './span-timeline.ts';

type Span = Run['spans'][number];

const columns: Column<Bar<Span>>[] = [
  { name: 'Span', width: '26%', cell: ({ span }) => <Clipped text={span.name} /> },
  { name: 'Kind', width: 108, cell: ({ span }) => <Badge>{span.kind}</Badge> },
  { name: 'Status', width: 84, cell: ({ span }) => <SpanState span={span} /> },
  { name: 'Timeline', cell: ({ span, bar }) => bar && <TimelineBar span={span} bar={bar} /> },
  {
    name: 'Duration',
    width: 96,
    align: 'end',
    cell: ({ span }) => (span.duration_ms === null ? none : formatDuration(span.duration_ms)),
  },
];

export function Spans({ spans }: { spans: readonly Span[] }) {
  return (
    <Section
      title="Spans"
      count={formatCount(spans.length)}
      empty={spans.length === 0 && 'No behavior span was recorded.'}
    >
      <DataTable
        label="Spans"
        columns={columns}
        rows={layOut(spans)}
        rowKey={({ place }) => String(place)}
        detail={({ span }) => detailOf(span)}
      />
    </Section>
  );
}

const SpanState = ({ span }: { span: Span }) => (
  <State tone={span.status === 'ok' ? 'good' : 'bad'}>
    {span.status === 'ok' ? 'OK' : 'Error'}
  </State>
);

interface TimelineBarProps {
  span: Span;
  bar: NonNullable<Bar<Span>['bar']>;
}

function TimelineBar({ span, bar }: TimelineBarProps) {
  const style = { marginLeft: `${bar.from * 100}%`, width: `${bar.length * 100}%` };
  return (
    <span className="timeline" aria-hidden="true">
      <span className={`bar ${span.status}`} style={style} />
    </span>
  );
}

function detailOf({ attributes, input_data, output_data }: Span) {
  const parts = [
    ['Attributes', attributes],
    ['Input', input_data],
    ['Output', output_data],
  ] as const;
  if (parts.every(([, value]) => value === null)) return null;
  return (
    <div className="detail-body previews">
      {parts.map(
        ([title, value]) =>
          value && (
            <div key={title}>
              <h3>{title}</h3>
              <Json value={value} label={title} />
            </div>
          ),
      )}
    </div>
  );
}
