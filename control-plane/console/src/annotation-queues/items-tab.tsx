import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { api } from '../data/api.ts';
import { itemList } from '../data/annotation-queue-sources.ts';
import type {
  AnnotationItem,
  AnnotationQueue,
  ItemStatus,
} from '../data/annotation-queue-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { NONE } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { offsetOf, useFilters } from '../use-filters.ts';

const LIMIT = 50;

const statuses: readonly { id: ItemStatus | 'all'; name: string }[] = [
  { id: 'all', name: t`All` },
  { id: 'pending', name: t`Pending` },
  { id: 'completed', name: t`Completed` },
  { id: 'skipped', name: t`Skipped` },
];

const looks: Record<ItemStatus, readonly [tone: Tone, name: string]> = {
  pending: ['accent', t`Pending`],
  completed: ['good', t`Completed`],
  skipped: ['neutral', t`Skipped`],
};

const columns: Column<AnnotationItem>[] = [
  {
    name: t`Run`,
    width: 90,
    cell: ({ run_id }) => (
      <Link to={`/runs/${run_id}`} className="row-link mono">
        {run_id}
      </Link>
    ),
  },
  { name: t`Agent`, cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  {
    name: t`Status`,
    width: 120,
    cell: ({ status }) => <State tone={looks[status][0]}>{looks[status][1]}</State>,
  },
  {
    name: t`Reviewer`,
    width: '20%',
    cell: ({ reviewer }) => <Clipped text={reviewer ?? NONE} />,
  },
  {
    name: t`Comment`,
    width: '18%',
    wideOnly: true,
    cell: ({ comment }) => <Clipped text={comment ?? NONE} />,
  },
  {
    name: t`Reviewed`,
    width: 110,
    cell: ({ done_at }) => (done_at === null ? NONE : <Ago at={done_at} />),
  },
];

interface ItemsTabProps {
  queue: AnnotationQueue;
  mayReview: boolean;
  onChanged: () => Promise<void>;
}

/** Table of the runs in a queue with their states. */
export function ItemsTab({ queue, mayReview, onChanged }: ItemsTabProps) {
  const filters = useFilters();
  const offset = offsetOf(filters);
  const status = statuses.find(({ id }) => id === filters.get('status'))?.id ?? 'all';
  const query = { limit: LIMIT, offset, ...(status !== 'all' && { status }) };
  const reading = useQuery(itemList(queue.id, query));
  const { error, attempt } = useAttempt();
  const change: ChangeItem = (item, action) =>
    attempt(async () => {
      await action({ queue_id: queue.id, run_id: String(item.run_id) });
      await Promise.all([reading.refetch(), onChanged()]);
    });
  return (
    <>
      <div className="toolbar">
        <Choice
          label={t`Status`}
          options={statuses}
          value={status}
          onChange={(next) => filters.set({ status: next === 'all' ? '' : next })}
        />
      </div>
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      <Loaded reading={reading}>
        {({ results, count }) =>
          count === 0 ? (
            <NoItems filtered={status !== 'all'} />
          ) : (
            <>
              <DataTable
                label={t`Runs in the queue`}
                columns={mayReview ? [...columns, actionsWith(change)] : columns}
                rows={results}
                rowKey={({ run_id }) => String(run_id)}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of runs`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

interface ItemParams {
  queue_id: string;
  run_id: string;
}

type ItemAction = (params: ItemParams) => Promise<unknown>;
type ChangeItem = (item: AnnotationItem, action: ItemAction) => Promise<boolean>;

const actionsWith = (change: ChangeItem): Column<AnnotationItem> => ({
  name: t`Actions`,
  width: 190,
  cell: (item) => <ItemActions item={item} onChange={(action) => void change(item, action)} />,
});

interface ItemActionsProps {
  item: AnnotationItem;
  onChange: (action: ItemAction) => void;
}

const ItemActions = ({ item: { run_id, status }, onChange }: ItemActionsProps) => (
  <span className="button-row">
    {status !== 'pending' && (
      <button
        type="button"
        className="button"
        aria-label={t`Reopen run ${run_id}`}
        onClick={() => onChange((params) => api.annotationQueues.reopenAnnotationItem({ params }))}
      >
        <Trans>Reopen</Trans>
      </button>
    )}
    <button
      type="button"
      className="button"
      aria-label={t`Remove run ${run_id} from the queue`}
      onClick={() => onChange((params) => api.annotationQueues.removeAnnotationItem({ params }))}
    >
      <Trans>Remove</Trans>
    </button>
  </span>
);

function NoItems({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title={t`No run of this queue has this status`} />;
  return (
    <Empty title={t`No runs in this queue yet`}>
      <p>
        <Trans>
          Choose runs in <Link to="/runs">their list</Link> or open one, and add them to the queue.
        </Trans>
      </p>
    </Empty>
  );
}
