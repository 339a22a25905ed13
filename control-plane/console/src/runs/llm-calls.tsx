import { t } from '@lingui/core/macro';
import { remainingCalls } from '../data/run-sources.ts';
import type { Run, RunLlmCall } from '../data/run-sources.ts';
import { formatCount, formatCountInShort, NONE } from '../format.ts';
import { CallContent } from '../llm-calls/call-content.tsx';
import { Cost } from '../llm-calls/cost.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { ShowMore, useIncrementalList } from '../parts/show-more.tsx';

const number = { width: 96, align: 'end' } as const;

const cachedOf = ({ cache_read_tokens, cache_write_tokens }: RunLlmCall) =>
  cache_read_tokens + cache_write_tokens;

const cached: Column<RunLlmCall> = {
  name: t`Cached`,
  ...number,
  cell: (call) => (cachedOf(call) === 0 ? NONE : formatCount(cachedOf(call))),
};

const columnsFor = (calls: readonly RunLlmCall[]): Column<RunLlmCall>[] => [
  { name: t`Model`, width: '22%', cell: ({ model }) => <Clipped mono text={model} /> },
  {
    name: t`Task`,
    width: '12%',
    wideOnly: true,
    cell: ({ task }) => <Clipped text={task || NONE} />,
  },
  {
    name: t`Response`,
    wideOnly: true,
    cell: (call) => <Clipped text={call.response_preview || NONE} />,
  },
  { name: t`Called`, width: 108, cell: ({ created_at }) => <Ago at={created_at} /> },
  { name: t`Tokens in`, ...number, cell: ({ tokens_in }) => formatCountInShort(tokens_in) },
  ...(calls.some((call) => cachedOf(call) > 0) ? [cached] : []),
  { name: t`Tokens out`, ...number, cell: ({ tokens_out }) => formatCountInShort(tokens_out) },
  { name: t`Cost`, ...number, width: 106, cell: (call) => <Cost call={call} /> },
];

export function LlmCalls({ run }: { run: Run }) {
  const { items, progress } = useIncrementalList({
    first: run.llm_calls,
    count: run.counts.llm_calls,
    remainingTo: remainingCalls(String(run.id)),
  });
  return (
    <Section
      title={t`LLM calls`}
      count={formatCount(run.counts.llm_calls)}
      empty={items.length === 0 && t`No LLM calls were recorded.`}
    >
      <DataTable
        label={t`LLM calls`}
        columns={columnsFor(items)}
        rows={items}
        rowKey={({ id }) => String(id)}
        rowName={({ id }) => t`call ${id}`}
        detail={contentOf}
      />
      <ShowMore {...progress} />
    </Section>
  );
}

const contentOf = ({ id }: RunLlmCall) => <CallContent id={id} ofOneRun />;
