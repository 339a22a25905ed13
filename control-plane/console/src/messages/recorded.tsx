import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { Boundary } from '../parts/boundary.tsx';
import type { Source } from './source.ts';

/** Loaded when the first recorded value is displayed. */
const Viewer = lazy(async () => ({ default: (await import('./viewer.tsx')).Viewer }));

interface RecordedProps {
  /** Name of the record that contains the sources, such as "LLM call", for labels of controls. */
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
