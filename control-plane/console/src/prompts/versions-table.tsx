import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { Prompt, PromptMetrics, PromptVersion } from '../data/prompt-sources.ts';
import { formatCount, formatMoney, NONE } from '../format.ts';
import { Clipped, Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { PickLabel } from './pick-label.tsx';
import type { Move } from './undo-move.tsx';
import { VersionContent } from './version-content.tsx';
import { Text } from '../parts/text.tsx';

export const Labels = ({ labels }: { labels: readonly string[] }) => (
  <span className="badges">
    {labels.map((label) => (
      <Badge key={label} tone="accent">
        <Text>{label}</Text>
      </Badge>
    ))}
  </span>
);

interface VersionsTableProps {
  prompt: Prompt;
  metrics: PromptMetrics | undefined;
  /** Undefined if the user may not change the prompt. */
  onMoved: ((move: Move) => void) | undefined;
  onWrite: ((version: number) => void) | undefined;
}

/** Table of versions, newest first. An expanded row shows the content. */
export function VersionsTable({ prompt, metrics, onMoved, onWrite }: VersionsTableProps) {
  const [picking, setPicking] = useState<number>();
  return (
    <>
      <DataTable
        label={t`Versions`}
        columns={[...columnsFor(metrics), ...(onMoved ? [labelColumn(setPicking)] : [])]}
        rows={prompt.versions}
        rowKey={({ version }) => String(version)}
        rowName={({ version }) => t`version ${version}`}
        detail={contentFor({ prompt, onWrite })}
      />
      {picking !== undefined && onMoved && (
        <PickLabel
          prompt={prompt}
          version={picking}
          onMoved={onMoved}
          onClose={() => setPicking(undefined)}
        />
      )}
    </>
  );
}

const labelColumn = (onPick: (version: number) => void): Column<PromptVersion> => ({
  name: t`Move label`,
  header: (
    <span className="hidden">
      <Trans>Move label</Trans>
    </span>
  ),
  width: 118,
  align: 'end',
  cell: ({ version }) => (
    <button type="button" className="button" onClick={() => onPick(version)}>
      <Trans>
        Set label…<span className="hidden"> on version {version}</span>
      </Trans>
    </button>
  ),
});

const contentFor = (props: Pick<VersionsTableProps, 'prompt' | 'onWrite'>) =>
  function Content({ version }: PromptVersion) {
    return <VersionContent {...props} version={version} />;
  };

function columnsFor(metrics: PromptMetrics | undefined): Column<PromptVersion>[] {
  const useOf = ({ version }: PromptVersion) =>
    metrics?.versions.find((one) => one.version === version);
  const number = { width: 96, align: 'end' } as const;
  return [
    { name: t`Version`, width: 84, cell: ({ version }) => `v${version}` },
    { name: t`Labels`, width: '20%', cell: ({ labels }) => <Labels labels={labels} /> },
    { name: t`Commit message`, cell: (one) => <Clipped text={one.commit_message || NONE} /> },
    {
      name: t`By`,
      width: '18%',
      wideOnly: true,
      cell: ({ created_by }) => <Clipped text={created_by} />,
    },
    { name: t`Created`, width: 106, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      name: t`Calls`,
      ...number,
      wideOnly: true,
      cell: (one) => formatCount(useOf(one)?.call_count ?? 0),
    },
    {
      name: t`Cost`,
      ...number,
      wideOnly: true,
      cell: (one) => formatMoney(useOf(one)?.total_cost ?? 0),
    },
  ];
}
