import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { AddToQueueButton } from '../annotation-queues/add-to-queue.tsx';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { ChosenBar } from '../lists/chosen-rows.tsx';
import type { Chosen } from '../lists/chosen-rows.tsx';

/** Bar with actions for the selected runs. */
export function ChosenRuns({ chosen, user }: { chosen: Chosen; user: User }) {
  // The earlier run comes first.
  const ids = [...chosen.keys].sort((a, b) => Number(a) - Number(b));
  const [a = '', b = ''] = ids;
  if (ids.length === 0) return null;
  return (
    <ChosenBar label={t`Chosen runs`}>
      <span>
        <Trans>
          <Plural value={ids.length} one="# run" other="# runs" /> chosen
        </Trans>
      </span>
      {ids.length === 2 ? (
        <Link className="button primary" to={compareAddress(a, b)}>
          <Trans>Compare</Trans>
        </Link>
      ) : (
        <span className="muted">
          <Trans>Choose two to compare them.</Trans>
        </span>
      )}
      {mayWrite(user) && <AddToQueueButton runIds={ids.map(Number)} onAdded={chosen.clear} />}
      <button type="button" className="link" onClick={chosen.clear}>
        <Trans>Clear</Trans>
      </button>
    </ChosenBar>
  );
}

export const compareAddress = (a: string, b = ''): string =>
  `/runs/compare?${new URLSearchParams({ a, ...(b && { b }) }).toString()}`;
