import { useState } from 'react';
import { promptDetail, promptMetrics } from '../data/prompt-sources.ts';
import type { Prompt, PromptMetrics } from '../data/prompt-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney } from '../format.ts';
import { PlusIcon } from '../icons.tsx';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Numbers } from '../parts/numbers.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { CreateVersion } from './create-version.tsx';
import { VersionsTable } from './versions-table.tsx';

export function PromptPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(promptDetail(id));
  const { data: metrics } = useQuery(promptMetrics(id));
  const [writing, setWriting] = useState(false);
  const refetch = () => void reading.refetch();
  const writes = mayWrite(user);
  return (
    <Page
      title={reading.data?.name ?? 'Prompt'}
      parent={{ name: 'Prompts', to: '/prompts' }}
      aside={
        writes &&
        reading.data && (
          <button type="button" className="button primary" onClick={() => setWriting(true)}>
            <PlusIcon />
            New version
          </button>
        )
      }
    >
      <Loaded reading={reading}>
        {(prompt) => (
          <>
            <Numbers numbers={numbersOf(prompt, metrics)} />
            <About prompt={prompt} />
            <Section title="Versions" count={formatCount(prompt.version_count)}>
              <VersionsTable
                prompt={prompt}
                metrics={metrics}
                onMoved={writes ? refetch : undefined}
              />
            </Section>
            {writing && (
              <CreateVersion
                prompt={prompt}
                onCreated={refetch}
                onClose={() => setWriting(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function numbersOf(prompt: Prompt, metrics: PromptMetrics | undefined) {
  const { call_count = 0, total_tokens = 0, total_cost = 0 } = metrics?.totals ?? {};
  return [
    ['Versions', formatCount(prompt.version_count)],
    ['Calls', formatCount(call_count)],
    ['Tokens', formatCount(total_tokens)],
    ['Cost', formatMoney(total_cost)],
    ['Changed', <Ago key="changed" at={prompt.updated_at} />],
  ] as const;
}

function About({ prompt: { description, tags } }: { prompt: Prompt }) {
  if (!description && tags.length === 0) return null;
  return (
    <div className="page-note">
      {description && (
        <p className="whole">
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
