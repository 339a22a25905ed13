import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { promptDetail, promptMetrics, promptPerformance } from '../data/prompt-sources.ts';
import type { Prompt, PromptMetrics } from '../data/prompt-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import type { QueryResult } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { PlusIcon } from '../icons.tsx';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { useFilters } from '../use-filters.ts';
import { CompareVersions } from './compare-versions.tsx';
import { CreateVersion } from './create-version.tsx';
import { LabelsTab } from './labels-tab.tsx';
import { PromptActions } from './prompt-actions.tsx';
import { PromptPerformanceTab } from './prompt-performance.tsx';
import { UndoMove } from './undo-move.tsx';
import type { Move } from './undo-move.tsx';
import { UsePrompt } from './use-prompt.tsx';
import { VersionsTable } from './versions-table.tsx';
import { Section } from '../parts/section.tsx';
import { PerformanceTable } from './performance-table.tsx';
import './prompt-page.css';

const tabs = [
  { id: 'versions', name: t`Versions` },
  { id: 'compare', name: t`Compare` },
  { id: 'performance', name: t`Performance` },
  { id: 'labels', name: t`Labels` },
  { id: 'use', name: t`Use` },
] as const;

export function PromptPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(promptDetail(id));
  const { data: metrics } = useQuery(promptMetrics(id));
  const [writing, setWriting] = useState<number>();
  const prompt = reading.data;
  const changes = mayWrite(user) && prompt?.archived_at === null;
  return (
    <Page
      title={prompt?.name ?? t`Prompt`}
      parent={{ name: t`Prompts`, to: '/prompts' }}
      aside={
        mayWrite(user) &&
        prompt && (
          <div className="button-row prompt-actions">
            <PromptActions prompt={prompt} metrics={metrics} onChanged={reading.refetch} />
            {changes && (
              <button
                type="button"
                className="button primary"
                onClick={() => setWriting(prompt.latest_version)}
              >
                <PlusIcon />
                <Trans>New version</Trans>
              </button>
            )}
          </div>
        )
      }
    >
      <Loaded reading={reading}>
        {(prompt) => (
          <>
            {prompt.archived_at !== null && (
              <Notice tone="warn">
                <Trans>
                  Archived <Ago at={prompt.archived_at} />. Agents can still fetch it; it gets no
                  new versions, and its labels stay.
                </Trans>
              </Notice>
            )}
            <KeyFigures numbers={numbersOf(prompt, metrics)} />
            <About prompt={prompt} />
            <PromptTabs
              {...{ prompt, metrics, reading }}
              onWrite={changes ? setWriting : undefined}
            />
            {writing !== undefined && (
              <CreateVersion
                prompt={prompt}
                from={writing}
                onCreated={() => void reading.refetch()}
                onClose={() => setWriting(undefined)}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface PromptTabsProps {
  prompt: Prompt;
  metrics: PromptMetrics | undefined;
  reading: QueryResult<Prompt>;
  /** Undefined if the user may not change the prompt or if it is archived. */
  onWrite: ((version: number) => void) | undefined;
}

function PromptTabs({ prompt, metrics, reading, onWrite }: PromptTabsProps) {
  const filters = useFilters();
  const current = tabs.find(({ id }) => id === filters.get('tab'))?.id ?? 'versions';
  const [move, setMove] = useState<Move>();
  const refetch = () => void reading.refetch();
  const moved = (move: Move | undefined) => {
    setMove(move);
    refetch();
  };
  const onMoved = onWrite && moved;
  return (
    <>
      {move && <UndoMove key={JSON.stringify(move)} prompt={prompt} move={move} onDone={moved} />}
      {move && current === 'versions' && <MovedFigures prompt={prompt} move={move} />}
      <Tabs
        label={t`Prompt`}
        tabs={tabs}
        current={current}
        onChoose={(tab) => filters.set({ tab: tab === 'versions' ? '' : tab })}
      >
        {current === 'versions' && <VersionsTable {...{ prompt, metrics, onMoved, onWrite }} />}
        {current === 'compare' && <CompareVersions prompt={prompt} filters={filters} />}
        {current === 'performance' && <PromptPerformanceTab prompt={prompt} filters={filters} />}
        {current === 'labels' && <LabelsTab prompt={prompt} onMoved={onMoved} />}
        {current === 'use' && <UsePrompt prompt={prompt} />}
      </Tabs>
    </>
  );
}

function numbersOf(prompt: Prompt, metrics: PromptMetrics | undefined) {
  const { call_count = 0, total_tokens = 0, total_cost = 0 } = metrics?.totals ?? {};
  return [
    [t`Versions`, formatCount(prompt.version_count)],
    [t`Calls`, formatCount(call_count)],
    [t`Tokens`, formatCount(total_tokens)],
    [t`Cost`, formatMoney(total_cost)],
    [t`Changed`, <Ago key="changed" at={prompt.updated_at} />],
  ] as const;
}

function About({ prompt: { description, tags } }: { prompt: Prompt }) {
  if (!description && tags.length === 0) return null;
  return (
    <div className="page-note">
      {description && (
        <p
          className="whole prompt-description"
          role="group"
          aria-label={t`Description`}
          tabIndex={0}
        >
          <Text>{description}</Text>
        </p>
      )}
      <span className="badges">
        {tags.map((tag) => (
          <Badge key={tag}>
            <Text>{tag}</Text>
          </Badge>
        ))}
      </span>
    </div>
  );
}

/** Compares the performance of the versions between which a label was moved. */
function MovedFigures({ prompt, move: { from, to } }: { prompt: Prompt; move: Move }) {
  const reading = useQuery(promptPerformance(prompt.id, '7d'));
  return (
    <Section title={t`Before and after, in the last 7 days`}>
      <Loaded reading={reading}>
        {(performance) => (
          <PerformanceTable
            prompt={prompt}
            performance={performance}
            versions={performance.versions.filter(({ version }) => [from, to].includes(version))}
          />
        )}
      </Loaded>
    </Section>
  );
}
