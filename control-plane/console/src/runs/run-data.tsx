import { t } from '@lingui/core/macro';
import type { Run } from '../data/run-sources.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Section } from '../parts/section.tsx';

/** Shows the input, the result and the metadata of a run. */
export function RunData({ run }: { run: Run }) {
  const sources = sourcesOf(run);
  if (sources.length === 0) return null;
  return (
    <Section title={t`Inputs and result`}>
      <div className="card">
        <Recorded label={t`run`} sources={sources} />
      </div>
    </Section>
  );
}

export const sourcesOf = ({ inputs, result, metadata }: Run): Source[] =>
  [
    { title: t`Inputs`, value: inputs, role: 'user' as const },
    { title: t`Result`, value: result, role: 'assistant' as const },
    { title: t`Metadata`, value: metadata, role: null },
  ].filter(({ value }) => value !== null);
