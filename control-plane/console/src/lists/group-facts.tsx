import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Session, SessionDetail } from '../data/analytics-sources.ts';
import { formatCount, formatDuration, formatMoney } from '../format.ts';
import { Ago } from '../parts/clock.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { RunState } from '../runs/run-state.tsx';

type Totals = Omit<Session, 'session_id' | 'first_run' | 'last_activity'>;
type Run = Pick<SessionDetail['runs'][number], 'id' | 'agent_name' | 'status' | 'started_at'>;

interface GroupFactsProps {
  totals: Totals;
  /** Newest first. */
  runs: readonly Run[];
}

/** Totals and latest runs of a session or an end user, for a side panel. */
export const GroupFacts = ({ totals, runs }: GroupFactsProps) => (
  <div className="stack">
    <Facts
      facts={[
        [t`Runs`, formatCount(totals.run_count)],
        [t`Failed runs`, formatCount(totals.error_count)],
        [t`Duration`, formatDuration(totals.total_duration * 1000)],
        [t`Tokens`, formatCount(totals.total_tokens)],
        [t`Cost`, formatMoney(totals.total_cost)],
        [t`Agents`, totals.agents.join(', ')],
      ]}
    />
    <div>
      <h3>
        <Trans>Latest runs</Trans>
      </h3>
      <ul>
        {runs.map(({ id, agent_name, status, started_at }) => (
          <li key={id}>
            <Link to={`/runs/${id}`} className="row-link">
              <Trans>
                Run {id}, <Text>{agent_name}</Text>
              </Trans>
            </Link>
            <div className="muted">
              <RunState status={status} /> <Ago at={started_at} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  </div>
);
