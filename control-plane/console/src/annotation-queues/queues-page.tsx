import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { queueList } from '../data/annotation-queue-sources.ts';
import type { AnnotationQueue, QueueBody } from '../data/annotation-queue-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { namedColumns } from '../parts/named-columns.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { pathTo } from '../path-id.ts';
import { emptyQueue } from './queue-draft.ts';
import { QueueDialog } from './queue-dialog.tsx';

const pathOf = ({ id }: AnnotationQueue) => pathTo('annotation-queues', id);

const columns: Column<AnnotationQueue>[] = [
  ...namedColumns(t`Queue`, '26%', pathOf),
  {
    name: t`Scores`,
    width: '20%',
    cell: ({ scores }) => <Clipped text={scores.map(({ name }) => name).join(', ')} />,
  },
  {
    name: t`Pending`,
    width: 90,
    align: 'end',
    cell: ({ progress }) => formatCount(progress.pending),
  },
  {
    name: t`Completed`,
    width: 100,
    align: 'end',
    cell: ({ progress }) => formatCount(progress.completed),
  },
  {
    name: t`Skipped`,
    width: 90,
    align: 'end',
    cell: ({ progress }) => formatCount(progress.skipped),
  },
];

export function QueuesPage({ user }: { user: User }) {
  const reading = useQuery(queueList());
  const [, navigate] = useLocation();
  const create = async (body: QueueBody) => {
    const { id } = await api.annotationQueues.createAnnotationQueue({ body });
    navigate(pathTo('annotation-queues', id));
  };
  return (
    <ListPage
      title={t`Annotation queues`}
      create={mayAdminister(user) ? t`Create queue` : undefined}
      renderDialog={(onClose) => (
        <QueueDialog
          title={t`Create annotation queue`}
          action={t`Create`}
          first={emptyQueue}
          onSave={create}
          onClose={onClose}
        />
      )}
    >
      <Loaded reading={reading}>
        {(queues) =>
          queues.length === 0 ? (
            <NoQueues />
          ) : (
            <DataTable
              label={t`Annotation queues`}
              columns={columns}
              rows={queues}
              rowKey={({ id }) => id}
              rowLink={pathOf}
              stale={reading.stale}
            />
          )
        }
      </Loaded>
    </ListPage>
  );
}

const NoQueues = () => (
  <Empty title={t`No annotation queues yet`}>
    <p>
      <Trans>
        A queue holds runs that people review one after another, with the scores that they give. An
        administrator creates it; runs are added from <Link to="/runs">their list</Link>.
      </Trans>
    </p>
  </Empty>
);
