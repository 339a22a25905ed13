import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { AddToQueueButton } from '../annotation-queues/add-to-queue.tsx';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { SelectionBar } from '../lists/page-selection.tsx';
import type { PageSelection } from '../lists/page-selection.tsx';

/** Bar with actions for the selected runs. */
export function SelectedRuns({ selection, user }: { selection: PageSelection; user: User }) {
  // The earlier run comes first.
  const ids = [...selection.keys].sort((a, b) => Number(a) - Number(b));
  const [a = '', b = ''] = ids;
  if (ids.length === 0) return null;
  return (
    <SelectionBar label={t`Chosen runs`}>
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
      {mayWrite(user) && <AddToQueueButton runIds={ids.map(Number)} onAdded={selection.clear} />}
      <button type="button" className="link" onClick={selection.clear}>
        <Trans>Clear</Trans>
      </button>
    </SelectionBar>
  );
}

export const compareAddress = (a: string, b = ''): string =>
  `/runs/compare?${new URLSearchParams({ a, ...(b && { b }) }).toString()}`;
