import { Link } from 'wouter';
import { AddToQueueButton } from '../annotation-queues/add-to-queue.tsx';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { formatMany } from '../format.ts';
import { ChosenBar } from '../lists/chosen-bar.tsx';
import type { Chosen } from '../lists/use-chosen.ts';

/** What can be done with the runs that are chosen in the list. */
export function ChosenRuns({ chosen, user }: { chosen: Chosen; user: User }) {
  // The earlier run first.
  const ids = [...chosen.keys].sort((a, b) => Number(a) - Number(b));
  const [a = '', b = ''] = ids;
  if (ids.length === 0) return null;
  return (
    <ChosenBar label="Chosen runs">
      <span>{formatMany(ids.length, 'run')} chosen</span>
      {ids.length === 2 ? (
        <Link className="button primary" to={compareAddress(a, b)}>
          Compare
        </Link>
      ) : (
        <span className="muted">Choose two to compare them.</span>
      )}
      {mayWrite(user) && <AddToQueueButton runIds={ids.map(Number)} onAdded={chosen.clear} />}
      <button type="button" className="link" onClick={chosen.clear}>
        Clear
      </button>
    </ChosenBar>
  );
}

export const compareAddress = (a: string, b = ''): string =>
  `/runs/compare?${new URLSearchParams({ a, ...(b && { b }) }).toString()}`;
