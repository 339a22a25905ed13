import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { evaluationList, incidentList } from '../data/incident-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { EvaluationsTable } from '../incidents/evaluations-table.tsx';
import { IncidentsTable } from '../incidents/incidents-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';

const LIMIT = 50;

interface GovernanceProps {
  run: Run;
  user: User;
}

/** Shows the incidents and policy evaluations of a run. */
export const Governance = ({ run, user }: GovernanceProps) => (
  <>
    <Incidents run={run} user={user} />
    <Evaluations run={run} />
  </>
);

function Incidents({ run, user }: GovernanceProps) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(incidentList({ run_id: String(run.id), limit: LIMIT, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) => (
        <Section
          title={t`Incidents`}
          count={formatCount(count)}
          empty={count === 0 && t`No incidents.`}
        >
          <IncidentsTable
            incidents={results}
            stale={reading.stale}
            onChanged={mayWrite(user) ? reading.refetch : undefined}
          />
          <Pager
            label={t`Pages of incidents`}
            {...{ offset, limit: LIMIT, count }}
            onMove={setOffset}
          />
        </Section>
      )}
    </Loaded>
  );
}

function Evaluations({ run }: { run: Run }) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(evaluationList({ run_id: String(run.id), limit: LIMIT, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) => (
        <Section
          title={t`Evaluations`}
          count={formatCount(count)}
          empty={count === 0 && t`No enabled policy applied to this run.`}
        >
          <EvaluationsTable evaluations={results} stale={reading.stale} />
          <Pager
            label={t`Pages of evaluations`}
            {...{ offset, limit: LIMIT, count }}
            onMove={setOffset}
          />
        </Section>
      )}
    </Loaded>
  );
}
