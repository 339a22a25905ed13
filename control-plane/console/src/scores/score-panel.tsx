import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { scoreDetail } from '../data/score-sources.ts';
import type { ScoreDetail } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatExact, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Json, Text } from '../parts/text.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Actor } from '../users/actor.tsx';
import { sourceNames, typeNames, valueOf } from './score-words.ts';

/** Side panel of a score with its full comment. */
export const ScorePanel = ({ id }: { id: string }) => (
  <Loaded reading={useQuery(scoreDetail(id))}>
    {(score) => (
      <div className="stack">
        <Facts facts={factsOf(score)} />
        {score.comment !== null && (
          <div>
            <h3>
              <Trans>Comment</Trans>
            </h3>
            <p className="whole">
              <Text>{score.comment}</Text>
            </p>
          </div>
        )}
        {Object.keys(score.metadata).length > 0 && (
          <Json value={score.metadata} label={t`Metadata`} />
        )}
      </div>
    )}
  </Loaded>
);

const factsOf = (score: ScoreDetail) =>
  [
    [t`Score`, <Clipped key="name" text={score.name} />],
    [t`Value`, <Clipped key="value" text={valueOf(score)} />],
    [t`Type`, typeNames[score.data_type]],
    [t`Source`, sourceNames[score.source]],
    [
      t`Author`,
      score.author_user_id === '' ? NONE : <Actor key="by" type="user" id={score.author_user_id} />,
    ],
    [t`Evaluator`, <Clipped key="evaluator" text={score.evaluator_name ?? NONE} />],
    [t`Agent`, <Clipped key="agent" text={score.run_agent_name} />],
    [
      t`Run`,
      <Link key="run" to={`/runs/${score.run_id}`}>
        <Trans>Run {score.run_id}</Trans>
      </Link>,
    ],
    [t`LLM call`, score.llm_call_id === null ? NONE : <CallLink key="call" score={score} />],
    [t`Recorded`, formatExact(Date.parse(score.created_at))],
  ] as const;

const CallLink = ({ score: { llm_call_id, llm_call_model } }: { score: ScoreDetail }) => (
  <Link to={`/llm-calls/${llm_call_id}`}>
    <Text>{`${llm_call_id}, ${llm_call_model ?? t`unknown model`}`}</Text>
  </Link>
);
