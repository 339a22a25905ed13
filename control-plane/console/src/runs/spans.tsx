import { t } from '@lingui/core/macro';
import { distinct } from '../data/load-pages.ts';
import { remainingSpans } from '../data/run-sources.ts';
import type { Run, Span } from '../data/run-sources.ts';
import { formatCount, formatDuration, NONE } from '../format.ts';
import { Badge, Clipped, State } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { ShowMore, useIncrementalList } from '../parts/show-more.tsx';
import { SpanContent } from './span-content.tsx';

const columns: Column<Span>[] = [
  { name: t`Span`, cell: ({ name }) => <Clipped text={name} /> },
  { name: t`Kind`, width: 108, cell: ({ kind }) => <Badge>{kind}</Badge> },
  { name: t`Status`, width: 84, cell: (span) => <SpanState span={span} /> },
  {
    name: t`Duration`,
    width: 112,
    align: 'end',
    cell: ({ duration_ms }) => (duration_ms === null ? NONE : formatDuration(duration_ms)),
  },
];

const keyOf = ({ id }: Span) => String(id);

export function Spans({ run }: { run: Run }) {
  const id = String(run.id);
  const { items, progress } = useIncrementalList({
    first: run.spans,
    count: run.counts.spans,
    remainingTo: remainingSpans(id),
  });
  // A span that was recorded late may be sorted into the first page, which moves another one to the
  // next page.
  const spans = distinct(items, keyOf);
  return (
    <Section
      title={t`Spans`}
      count={formatCount(run.counts.spans)}
      empty={spans.length === 0 && t`No spans were recorded.`}
    >
      <DataTable
        label={t`Spans`}
        columns={columns}
        rows={spans.toSorted((a, b) => a.position - b.position)}
        rowKey={keyOf}
        detail={contentOf(id)}
      />
      <ShowMore {...progress} />
    </Section>
  );
}

const contentOf = (run: string) =>
  function Content(span: Span) {
    return <SpanContent run={run} span={span} />;
  };

const SpanState = ({ span }: { span: Span }) => (
  <State tone={span.status === 'ok' ? 'good' : 'bad'}>
    {span.status === 'ok' ? t`OK` : t`Error`}
  </State>
);
