import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../data/api.ts';
import { queueDetail } from '../data/annotation-queue-sources.ts';
import type { AnnotationQueue, Progress } from '../data/annotation-queue-sources.ts';
import { mayAdminister, mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { closePopover, Popover } from '../parts/popover.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { useFilters } from '../use-filters.ts';
import { ItemsTab } from './items-tab.tsx';
import { draftOf } from './queue-draft.ts';
import { QueueDialog } from './queue-dialog.tsx';
import { Review } from './review.tsx';
import { formatCount } from '../format.ts';

const tabs = [
  { id: 'review', name: t`Review` },
  { id: 'items', name: t`Runs` },
] as const;

export function QueuePage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(queueDetail(id));
  const queue = reading.data;
  return (
    <Page
      title={queue?.name ?? t`Annotation queue`}
      parent={{ name: t`Annotation queues`, to: '/annotation-queues' }}
      aside={
        queue && mayAdminister(user) && <QueueActions queue={queue} onChanged={reading.refetch} />
      }
    >
      <Loaded reading={reading}>
        {(queue) => <QueueContent queue={queue} user={user} onChanged={reading.refetch} />}
      </Loaded>
    </Page>
  );
}

interface QueueContentProps {
  queue: AnnotationQueue;
  user: User;
  onChanged: () => Promise<void>;
}

function QueueContent({ queue, user, onChanged }: QueueContentProps) {
  const filters = useFilters();
  const mayReview = mayWrite(user);
  // Viewers may not review.
  const offered = tabs.filter(({ id }) => mayReview || id === 'items');
  const tab = offered.find(({ id }) => id === filters.get('tab')) ?? offered[0];
  return (
    <>
      {queue.description !== '' && (
        <p className="page-note whole">
          <Text>{queue.description}</Text>
        </p>
      )}
      <p className="muted page-note" role="status" aria-label={t`Progress`}>
        {progressText(queue.progress)}
      </p>
      <Tabs
        label={t`Annotation queue`}
        tabs={offered}
        current={tab?.id ?? 'items'}
        onChoose={(tab) => filters.set({ tab: tab === offered[0]?.id ? '' : tab })}
      >
        {tab?.id === 'review' ? (
          <Review queue={queue} onChanged={onChanged} />
        ) : (
          <ItemsTab queue={queue} mayReview={mayReview} onChanged={onChanged} />
        )}
      </Tabs>
    </>
  );
}

interface QueueActionsProps {
  queue: AnnotationQueue;
  onChanged: () => Promise<void>;
}

function QueueActions({ queue, onChanged }: QueueActionsProps) {
  const [action, setAction] = useState<'edit' | 'delete'>();
  const [, navigate] = useLocation();
  const params = { queue_id: queue.id };
  const close = () => setAction(undefined);
  return (
    <>
      <Popover label={t`More actions`} summary={t`More`} buttonClass="button" atEnd>
        {(['edit', 'delete'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="menu-item"
            onClick={({ currentTarget }) => {
              closePopover(currentTarget);
              setAction(one);
            }}
          >
            {one === 'edit' ? t`Edit…` : t`Delete…`}
          </button>
        ))}
      </Popover>
      {action === 'edit' && (
        <QueueDialog
          title={t`Edit annotation queue`}
          action={t`Save`}
          first={draftOf(queue)}
          onSave={async (body) => {
            await api.annotationQueues.updateAnnotationQueue({ params, body });
            await onChanged();
          }}
          onClose={close}
        />
      )}
      {action === 'delete' && (
        <ConfirmDialog
          title={t`Delete annotation queue`}
          action={t`Delete queue`}
          onConfirm={async () => {
            await api.annotationQueues.deleteAnnotationQueue({ params });
            navigate('/annotation-queues');
          }}
          onClose={close}
        >
          <p>
            <Trans>
              <Text>{queue.name}</Text> is deleted with its list of{' '}
              <Plural value={totalOf(queue)} one="# run" other="# runs" />. The runs stay, and so do
              the scores that reviewers gave. This cannot be undone.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const totalOf = ({ progress: { pending, completed, skipped } }: AnnotationQueue): number =>
  pending + completed + skipped;

const progressText = ({ pending, completed, skipped }: Progress): string =>
  [
    t`${formatCount(pending)} pending`,
    t`${formatCount(completed)} completed`,
    t`${formatCount(skipped)} skipped`,
  ].join(' · ');
