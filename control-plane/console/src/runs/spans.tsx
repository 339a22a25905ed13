import { distinct } from '../data/many.ts';
import { remainingSpans } from '../data/run-sources.ts';
import type { Run, Span } from '../data/run-sources.ts';
import { formatCount, formatDuration, none } from '../format.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { useGrowing } from '../parts/use-growing.ts';
import { SpanContent } from './span-content.tsx';
import { layOut } from './span-timeline.ts';
import type { Bar } from './span-timeline.ts';

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

const keyOf = ({ id }: Span) => String(id);

export function Spans({ run }: { run: Run }) {
  const id = String(run.id);
  const { items, progress } = useGrowing({
    first: run.spans,
    count: run.counts.spans,
    remainingTo: remainingSpans(id),
  });
  // A span recorded late may sort into the first page and push another one to the next page.
  const spans = distinct(items, keyOf);
  return (
    <Section
      title="Spans"
      count={formatCount(run.counts.spans)}
      empty={spans.length === 0 && 'No spans were recorded.'}
    >
      <DataTable
        label="Spans"
        columns={columns}
        rows={layOut(spans)}
        rowKey={({ span }) => keyOf(span)}
        detail={contentOf(id)}
      />
      <ShowMore {...progress} />
    </Section>
  );
}

const contentOf = (run: string) =>
  function Content({ span }: Bar<Span>) {
    return <SpanContent run={run} span={span} />;
  };

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
