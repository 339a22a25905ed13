import type { LlmCall } from '../data/llm-call-sources.ts';
import { formatCount, formatDuration, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { CallContent } from './call-content.tsx';
import { Cost } from './cost.tsx';

const columns: Column<LlmCall>[] = [
  { name: 'Model', width: '19%', cell: ({ model }) => <Clipped mono text={model} /> },
  { name: 'Agent', width: '13%', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  {
    name: 'Prompt',
    cell: ({ prompt_preview }) => (
      <span className="muted">
        <Clipped text={prompt_preview || none} />
      </span>
    ),
  },
  { name: 'Called', width: 106, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    name: 'Duration',
    width: 84,
    align: 'end',
    wideOnly: true,
    cell: ({ duration_ms }) => (duration_ms === null ? none : formatDuration(duration_ms)),
  },
  { name: 'Tokens', width: 100, align: 'end', cell: (call) => formatCount(call.total_tokens) },
  { name: 'Cost', width: 106, align: 'end', cell: (call) => <Cost call={call} /> },
];

const contentOf = ({ id }: LlmCall) => <CallContent id={id} />;

interface CallsTableProps {
  calls: readonly LlmCall[];
  stale: boolean;
}

export const CallsTable = ({ calls, stale }: CallsTableProps) => (
  <DataTable
    label="LLM calls"
    columns={columns}
    rows={calls}
    rowKey={({ id }) => String(id)}
    detail={contentOf}
    stale={stale}
  />
);
