import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { remainingScores } from '../data/run-sources.ts';
import type { Run, Score } from '../data/run-sources.ts';
import { formatCount, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Section } from '../parts/section.tsx';
import { ShowMore, useIncrementalList } from '../parts/show-more.tsx';
import { valueOf } from '../scores/score-words.ts';
import { AddScore } from './add-score.tsx';
import { scoreDetail } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';

const columns: Column<Score>[] = [
  { name: t`Score`, width: '24%', cell: ({ name }) => <Clipped text={name} /> },
  { name: t`Value`, width: 120, cell: (score) => <Clipped text={valueOf(score)} /> },
  { name: t`Source`, width: 110, cell: ({ source }) => source },
  { name: t`Comment`, cell: ({ comment }) => <Clipped text={comment ?? NONE} /> },
  { name: t`Recorded`, width: 120, cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface ScoresProps {
  run: Run;
  mayScore: boolean;
}

export function Scores({ run, mayScore }: ScoresProps) {
  const [adding, setAdding] = useState(false);
  const { items, progress } = useIncrementalList({
    first: run.scores,
    count: run.counts.scores,
    remainingTo: remainingScores(String(run.id)),
  });
  return (
    <>
      <Section
        title={t`Scores`}
        count={formatCount(run.counts.scores)}
        empty={items.length === 0 && t`No scores were recorded.`}
      >
        <DataTable
          label={t`Scores`}
          columns={columns}
          rows={items}
          rowKey={({ id }) => id}
          detail={commentOf}
        />
        <ShowMore {...progress} />
      </Section>
      {mayScore && (
        <div className="button-row">
          <button type="button" className="button" onClick={() => setAdding(true)}>
            <Trans>Add score</Trans>
          </button>
        </div>
      )}
      {adding && <AddScore subject={{ run_id: run.id }} onClose={() => setAdding(false)} />}
    </>
  );
}

const commentOf = (score: Score) => score.comment !== null && <ScoreComment score={score} />;

/** The comment of a score. Lists truncate long comments, so their full text is loaded. */
const ScoreComment = ({ score }: { score: Score }) =>
  score.truncated ? <LongComment id={score.id} /> : <Comment text={score.comment} />;

function LongComment({ id }: { id: string }) {
  const reading = useQuery(scoreDetail(id));
  return (
    <div className="opened">
      <Loaded reading={reading}>{({ comment }) => <Comment text={comment} />}</Loaded>
    </div>
  );
}

const Comment = ({ text }: { text: string | null }) => (
  <div className="detail-body">
    {/* The region scrolls, so it must be focusable. */}
    <p className="preview" role="region" aria-label={t`Comment`} tabIndex={0}>
      <Text>{text ?? ''}</Text>
    </p>
  </div>
);
