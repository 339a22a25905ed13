import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { mayWrite } from '../data/session.ts';
import { useSession } from '../data/use-query.ts';
import { AddScore } from '../runs/add-score.tsx';

/** Button that adds a score to an LLM call. Shown only to users who may add scores. */
export function ScoreCall({ id }: { id: number }) {
  const session = useSession();
  const [adding, setAdding] = useState(false);
  const [count, setCount] = useState(0);
  if (session.status !== 'signed-in' || !mayWrite(session.user)) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setAdding(true)}>
        <Trans>Score this call…</Trans>
      </button>
      <span role="status" className="muted">
        {count > 0 && (count === 1 ? t`Score added` : t`${count} scores added`)}
      </span>
      {adding && (
        <AddScore
          subject={{ llm_call_id: id }}
          title={t`Score LLM call ${id}`}
          onAdded={() => setCount(count + 1)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
