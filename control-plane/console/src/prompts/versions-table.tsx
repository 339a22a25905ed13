import type { Prompt, PromptMetrics, PromptVersion } from '../data/prompt-sources.ts';
import { formatCount, formatMoney, none } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Labels } from './labels.tsx';
import { VersionContent } from './version-content.tsx';

interface VersionsTableProps {
  prompt: Prompt;
  metrics: PromptMetrics | undefined;
  onMoved: (() => void) | undefined;
}

/** Newest first. An expanded version shows its content. */
export const VersionsTable = ({ prompt, metrics, onMoved }: VersionsTableProps) => (
  <DataTable
    label="Versions"
    columns={columnsFor(metrics)}
    rows={prompt.versions}
    rowKey={({ version }) => String(version)}
    detail={contentFor(prompt, onMoved)}
  />
);

const contentFor = (prompt: Prompt, onMoved: (() => void) | undefined) =>
  function Content({ version }: PromptVersion) {
    return <VersionContent prompt={prompt} version={version} onMoved={onMoved} />;
  };

function columnsFor(metrics: PromptMetrics | undefined): Column<PromptVersion>[] {
  const useOf = ({ version }: PromptVersion) =>
    metrics?.versions.find((one) => one.version === version);
  const number = { width: 96, align: 'end' } as const;
  return [
    { name: 'Version', width: 76, cell: ({ version }) => `v${version}` },
    { name: 'Labels', width: '20%', cell: ({ labels }) => <Labels labels={labels} /> },
    { name: 'Commit message', cell: (one) => <Clipped text={one.commit_message || none} /> },
    {
      name: 'By',
      width: '18%',
      wideOnly: true,
      cell: ({ created_by }) => <Clipped text={created_by} />,
    },
    { name: 'Created', width: 106, cell: ({ created_at }) => <Ago at={created_at} /> },
    { name: 'Calls', ...number, cell: (one) => formatCount(useOf(one)?.call_count ?? 0) },
    { name: 'Cost', ...number, cell: (one) => formatMoney(useOf(one)?.total_cost ?? 0) },
  ];
}
