import { t } from '@lingui/core/macro';
import { promptPerformance } from '../data/prompt-sources.ts';
import type { Prompt } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { Section } from '../parts/section.tsx';
import { PerformanceTable } from './performance-table.tsx';
import type { Move } from './undo-move.tsx';

/** How the versions that a label was moved between perform. */
export function MovedFigures({ prompt, move: { from, to } }: { prompt: Prompt; move: Move }) {
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
