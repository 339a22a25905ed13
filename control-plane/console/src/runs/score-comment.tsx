import { t } from '@lingui/core/macro';
import type { Score } from '../data/run-sources.ts';
import { scoreDetail } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';

/** The comment of a score. Lists truncate long comments, which are then loaded in full. */
export const ScoreComment = ({ score }: { score: Score }) =>
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
    {/* The region scrolls, so the keyboard must reach it. */}
    <p className="preview" role="region" aria-label={t`Comment`} tabIndex={0}>
      <Text>{text ?? ''}</Text>
    </p>
  </div>
);
