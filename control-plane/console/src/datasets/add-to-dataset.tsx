import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import type { LlmCallDetail } from '../data/llm-call-sources.ts';
import { mayWrite } from '../data/session.ts';
import { useSession } from '../data/use-query.ts';

/** Contains the editor of messages, so it is loaded only when it is first opened. */
const AddCall = lazy(async () => ({ default: (await import('./add-call.tsx')).AddCall }));

/** Button that adds an LLM call to a dataset. Shown only to users who may change datasets. */
export function AddToDataset({ call }: { call: LlmCallDetail }) {
  const session = useSession();
  const [adding, setAdding] = useState(false);
  const [added, setAdded] = useState<string>();
  if (session.status !== 'signed-in' || !mayWrite(session.user)) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setAdding(true)}>
        <Trans>Add to dataset…</Trans>
      </button>
      <span role="status" className="muted">
        {added !== undefined && t`Added to ${added}`}
      </span>
      {adding && (
        <Suspense fallback={null}>
          <AddCall call={call} onAdded={setAdded} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  );
}
