import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../data/api.ts';
import type { AnnotationQueue, Claim, ClaimedItem } from '../data/annotation-queue-sources.ts';
import { Empty, Loading, Notice } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { useFilters } from '../use-filters.ts';
import { ReviewForm } from './review-form.tsx';
import type { Entered, Reviewed } from './review-form.tsx';
import { ReviewedRun } from './reviewed-run.tsx';
import './review.css';

const Instructions = lazy(async () => ({
  default: (await import('./instructions.tsx')).Instructions,
}));

/** URL parameters of the trace. They apply to one run and are cleared for the next one. */
const ofTrace = { span: '', q: '', kind: '', agent: '', errors: '', view: '', zoom: '' };

/** The outcome of the previous item. */
interface Done {
  run_id: number;
  how: 'completed' | 'skipped';
}

interface ReviewProps {
  queue: AnnotationQueue;
  onChanged: () => Promise<void>;
}

/** Shows one item after another, each claimed for this user. */
export function Review({ queue, onChanged }: ReviewProps) {
  const [claim, setClaim] = useState<Claim>();
  const [done, setDone] = useState<Done>();
  // Keyed by run, because an item that was reopened comes before the one under review.
  const [entered] = useState(() => new Map<number, Entered>());
  const { error, busy, attempt } = useAttempt();
  const filters = useFilters();
  const params = { queue_id: queue.id };
  const claimNext = async () => {
    setClaim(await api.annotationQueues.claimAnnotationItem({ params }));
    void onChanged();
  };
  const first = useEffectEvent(() => void attempt(claimNext));
  useEffect(() => first(), []);
  const finish = (how: Done['how'], { run_id }: ClaimedItem, send: () => Promise<unknown>) =>
    attempt(async () => {
      await send();
      entered.delete(run_id);
      setDone({ run_id, how });
      filters.set(ofTrace, { replace: true });
      await claimNext();
    });
  const itemParams = (run_id: number) => ({ ...params, run_id: String(run_id) });
  const complete = (item: ClaimedItem, body: Reviewed) =>
    finish('completed', item, () =>
      api.annotationQueues.completeAnnotationItem({ params: itemParams(item.run_id), body }),
    );
  const skip = (item: ClaimedItem) =>
    finish('skipped', item, () =>
      api.annotationQueues.skipAnnotationItem({ params: itemParams(item.run_id) }),
    );
  const reopen = (run_id: number) =>
    attempt(async () => {
      const reopened = { params: itemParams(run_id) };
      const item = await api.annotationQueues.reopenAnnotationItem(reopened);
      setDone(undefined);
      setClaim({ item, progress: queue.progress });
      void onChanged();
    });
  return (
    <>
      <div className="review-done" role="status">
        {done && (
          <>
            {done.how === 'completed'
              ? t`Run ${done.run_id} completed.`
              : t`Run ${done.run_id} skipped.`}{' '}
            <button type="button" className="link" onClick={() => void reopen(done.run_id)}>
              <Trans>Reopen</Trans>
            </button>
          </>
        )}
      </div>
      {error !== undefined && (
        <Notice tone="bad">
          {error}{' '}
          <button type="button" className="link" onClick={() => void attempt(claimNext)}>
            <Trans>Next run</Trans>
          </button>
        </Notice>
      )}
      {claim === undefined && error === undefined && <Loading />}
      {claim?.item === null && (
        <NothingLeft pending={claim.progress.pending} onRetry={() => void attempt(claimNext)} />
      )}
      {claim?.item && (
        <ReviewItem
          key={claim.item.run_id}
          {...{ queue, busy, entered }}
          item={claim.item}
          onComplete={complete}
          onSkip={skip}
        />
      )}
    </>
  );
}

interface ReviewItemProps {
  queue: AnnotationQueue;
  item: ClaimedItem;
  entered: Map<number, Entered>;
  busy: boolean;
  onComplete: (item: ClaimedItem, body: Reviewed) => Promise<boolean>;
  onSkip: (item: ClaimedItem) => Promise<boolean>;
}

/** The run, with the review form beside it. */
const ReviewItem = ({ queue, item, entered, busy, onComplete, onSkip }: ReviewItemProps) => (
  <div className="review">
    <ReviewedRun id={String(item.run_id)} />
    <div className="review-side">
      {queue.instructions !== '' && (
        <section className="card review-instructions" aria-label={t`Instructions`} tabIndex={0}>
          <h2>
            <Trans>Instructions</Trans>
          </h2>
          <Suspense fallback={null}>
            <Instructions text={queue.instructions} />
          </Suspense>
        </section>
      )}
      <ReviewForm
        configs={queue.scores}
        item={item}
        entered={entered.get(item.run_id)}
        onEntered={(now) => entered.set(item.run_id, now)}
        busy={busy}
        onComplete={(body) => void onComplete(item, body)}
        onSkip={() => void onSkip(item)}
      />
    </div>
  </div>
);

interface NothingLeftProps {
  /** Number of items that other reviewers have claimed. */
  pending: number;
  onRetry: () => void;
}

const NothingLeft = ({ pending, onRetry }: NothingLeftProps) => (
  <Empty title={pending === 0 ? t`Nothing is left to review` : t`Other reviewers have the rest`}>
    <p>
      {pending === 0 ? (
        <>
          <Trans>
            Every run of this queue was reviewed or skipped. Add more from{' '}
            <Link to="/runs">the list of runs</Link>.
          </Trans>
        </>
      ) : (
        plural(pending, {
          one: '# run of this queue is being reviewed.',
          other: '# runs of this queue are being reviewed.',
        })
      )}
    </p>
    <button type="button" className="button" onClick={onRetry}>
      <Trans>Check again</Trans>
    </button>
  </Empty>
);
