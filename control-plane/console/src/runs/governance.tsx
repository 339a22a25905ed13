import { useState } from 'react';
import { evaluationList, incidentList } from '../data/governance-sources.ts';
import type { Run } from '../data/run-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { EvaluationsTable } from '../governance/evaluations-table.tsx';
import { IncidentsTable } from '../governance/incidents-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';

const limit = 50;

interface GovernanceProps {
  run: Run;
  user: User;
}

/** Incidents and policy evaluations of a run. */
export const Governance = ({ run, user }: GovernanceProps) => (
  <>
    <Incidents run={run} user={user} />
    <Evaluations run={run} />
  </>
);

function Incidents({ run, user }: GovernanceProps) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(incidentList({ run_id: String(run.id), limit, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) => (
        <Section
          title="Incidents"
          count={formatCount(count)}
          empty={count === 0 && 'No incidents.'}
        >
          <IncidentsTable
            incidents={results}
            stale={reading.stale}
            onChanged={mayWrite(user) ? reading.refetch : undefined}
          />
          <Pager label="Pages of incidents" {...{ offset, limit, count }} onMove={setOffset} />
        </Section>
      )}
    </Loaded>
  );
}

function Evaluations({ run }: { run: Run }) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(evaluationList({ run_id: String(run.id), limit, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) => (
        <Section
          title="Evaluations"
          count={formatCount(count)}
          empty={count === 0 && 'No enabled policy applied to this run.'}
        >
          <EvaluationsTable evaluations={results} stale={reading.stale} />
          <Pager label="Pages of evaluations" {...{ offset, limit, count }} onMove={setOffset} />
        </Section>
      )}
    </Loaded>
  );
}
