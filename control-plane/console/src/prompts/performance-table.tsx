import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Prompt, PromptPerformance, VersionPerformance } from '../data/prompt-sources.ts';
import {
  formatCountInShort,
  formatDuration,
  formatMoneyInShort,
  formatPercent,
  NONE,
} from '../format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { errorRate, formatScore, scoreNames, scoreOf } from './measures.ts';
import { callsOfVersion } from './version-content.tsx';
import { Labels } from './versions-table.tsx';

interface PerformanceTableProps {
  prompt: Prompt;
  performance: PromptPerformance;
  /** The versions to show; all by default. */
  versions?: readonly VersionPerformance[];
}

/** Table of the figures of versions, one row per version. */
export const PerformanceTable = ({ prompt, performance, versions }: PerformanceTableProps) => (
  <DataTable
    label={t`Versions compared`}
    columns={columnsFor(prompt, performance)}
    rows={versions ?? performance.versions}
    rowKey={({ version }) => String(version)}
  />
);

function columnsFor(prompt: Prompt, performance: PromptPerformance): Column<VersionPerformance>[] {
  const number = { width: 92, align: 'end' } as const;
  const labelsOf = (version: number) =>
    prompt.versions.find((one) => one.version === version)?.labels ?? [];
  const duration = (ms: number | null) => (ms === null ? NONE : formatDuration(ms));
  return [
    {
      name: t`Version`,
      cell: ({ version, content_hash }) => (
        <span className="badges">
          <Trans>v{version}</Trans>
          <Labels labels={labelsOf(version)} />
          {sameContent(performance, version, content_hash)}
        </span>
      ),
    },
    {
      name: t`Calls`,
      ...number,
      cell: ({ version, call_count }) =>
        call_count === 0 ? (
          '0'
        ) : (
          <Link
            to={callsOfVersion(prompt.id, version, performance.period)}
            aria-label={t`${call_count} LLM calls of v${version}`}
          >
            {formatCountInShort(call_count)}
          </Link>
        ),
    },
    { name: t`Cost`, ...number, cell: ({ total_cost }) => formatMoneyInShort(total_cost) },
    {
      name: t`Per call`,
      ...number,
      cell: ({ total_cost, call_count }) =>
        call_count === 0 ? NONE : formatMoneyInShort(total_cost / call_count),
    },
    { name: 'p50', ...number, cell: ({ latency_p50 }) => duration(latency_p50) },
    { name: 'p95', ...number, cell: ({ latency_p95 }) => duration(latency_p95) },
    {
      name: t`Errors`,
      ...number,
      cell: (figures) => {
        const rate = errorRate(figures);
        return rate === null ? NONE : formatPercent(rate);
      },
    },
    ...scoreNames(performance).map((name) => ({
      name,
      width: 110,
      align: 'end' as const,
      cell: (figures: VersionPerformance) => {
        const score = scoreOf(figures, name);
        return score ? (
          <span title={t`${score.count} scores`}>{formatScore(score.avg)}</span>
        ) : (
          NONE
        );
      },
    })),
  ];
}

function sameContent({ versions }: PromptPerformance, version: number, content_hash: string) {
  const other = versions.find((one) => one.content_hash === content_hash && one.version > version);
  return (
    other && (
      <span className="muted">
        <Trans>same content as v{other.version}</Trans>
      </span>
    )
  );
}
