import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Link } from 'wouter';
import { api } from '../data/api.ts';
import { queueList } from '../data/annotation-queue-sources.ts';
import type { AnnotationQueue } from '../data/annotation-queue-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { CloseButton, DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pathTo } from '../path-id.ts';
import { markInvisible } from '../mark-invisible.ts';

interface AddToQueueProps {
  runIds: readonly number[];
  onAdded?: () => void;
  onClose: () => void;
}

/** A button that opens the dialog for adding runs to a queue. */
export function AddToQueueButton({ runIds, onAdded }: Omit<AddToQueueProps, 'onClose'>) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setAdding(true)}>
        <Trans>Add to queue…</Trans>
      </button>
      {adding && (
        <AddToQueue
          runIds={runIds}
          onClose={() => setAdding(false)}
          {...(onAdded && { onAdded })}
        />
      )}
    </>
  );
}

interface Added {
  queue: AnnotationQueue;
  text: string;
}

function AddToQueue({ runIds, onAdded, onClose }: AddToQueueProps) {
  const reading = useQuery(queueList());
  const [added, setAdded] = useState<Added>();
  // `onAdded` may clear the selected rows, which would close the dialog, so it is called only now.
  const close = () => {
    onClose();
    if (added) onAdded?.();
  };
  return (
    <Dialog title={t`Add to annotation queue`} onClose={close}>
      {added ? (
        <>
          <p role="status">{added.text}</p>
          <p>
            <Link to={pathTo('annotation-queues', added.queue.id)}>
              <Trans>Open the queue</Trans>
            </Link>
          </p>
          <CloseButton onClose={close} />
        </>
      ) : (
        <Loaded reading={reading}>
          {(queues) =>
            queues.length === 0 ? (
              <>
                <p>
                  <Trans>
                    There is no queue yet: an administrator creates one on the page{' '}
                    <Link to="/annotation-queues">Annotation queues</Link>.
                  </Trans>
                </p>
                <CloseButton onClose={close} />
              </>
            ) : (
              <QueueForm {...{ queues, runIds, onClose }} onAdded={setAdded} />
            )
          }
        </Loaded>
      )}
    </Dialog>
  );
}

interface QueueFormProps {
  queues: readonly AnnotationQueue[];
  runIds: readonly number[];
  onAdded: (added: Added) => void;
  onClose: () => void;
}

function QueueForm({ queues, runIds, onAdded, onClose }: QueueFormProps) {
  const [id, setId] = useState(queues[0]?.id ?? '');
  const { error, busy, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const queue = queues.find((one) => one.id === id);
    if (busy || !queue) return;
    void attempt(async () => {
      const body = { run_ids: [...runIds] };
      const params = { queue_id: queue.id };
      const answer = await api.annotationQueues.addAnnotationItems({ params, body });
      onAdded({ queue, text: textOf(answer) });
    });
  };
  return (
    <form onSubmit={submit}>
      <FormField label={t`Queue`}>
        {(control) => (
          <select
            {...control}
            className="field"
            value={id}
            onChange={({ target }) => setId(target.value)}
          >
            {queues.map((queue) => (
              <option key={queue.id} value={queue.id}>
                {markInvisible(queue.name)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <DialogActions
        error={error}
        action={t`Add ${plural(runIds.length, { one: '# run', other: '# runs' })}`}
        onClose={onClose}
      />
    </form>
  );
}

type Answer = Awaited<ReturnType<typeof api.annotationQueues.addAnnotationItems>>;

const textOf = ({ added, already_added, not_found }: Answer): string =>
  [
    t`${plural(added, { one: '# run', other: '# runs' })} added.`,
    ...(already_added > 0 ? [t`${formatCount(already_added)} already in the queue.`] : []),
    ...(not_found.length > 0 ? [t`${formatCount(not_found.length)} deleted meanwhile.`] : []),
  ].join(' ');
