import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { Boundary } from '../parts/boundary.tsx';
import type { Source } from './source.ts';

/** Loaded when the first recorded value is shown. */
const Viewer = lazy(async () => ({ default: (await import('./viewer.tsx')).Viewer }));

interface RecordedProps {
  /** The name of the record that the sources belong to, for controls: "LLM call". */
  label: string;
  sources: readonly Source[];
}

/** Recorded values as messages, JSON or raw text, with search and copying. */
export const Recorded = (props: RecordedProps) => (
  <Boundary>
    <Suspense
      fallback={
        <p className="loading">
          <Trans>Loading…</Trans>
        </p>
      }
    >
      <Viewer {...props} />
    </Suspense>
  </Boundary>
);
