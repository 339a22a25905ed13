import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { runDetail, runList } from '../data/run-sources.ts';
import type { Run, RunSummary } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatMoneyInShort } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago, Elapsed } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Section } from '../parts/section.tsx';
import { RunState } from './run-state.tsx';

const LIMIT = 20;

interface PickRunProps {
  id: string;
  onPick: (id: string) => void;
}

/**
 * Dialog that chooses a run for a comparison: a recent run of the same agent, or any run by its id.
 */
export function PickRun({ id, onPick }: PickRunProps) {
  const reading = useQuery(runDetail(id));
  return (
    <>
      <RunIdForm onPick={onPick} />
      <Loaded reading={reading}>{(run) => <Candidates run={run} onPick={onPick} />}</Loaded>
    </>
  );
}

function RunIdForm({ onPick }: Pick<PickRunProps, 'onPick'>) {
  const [other, setOther] = useState('');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onPick(other);
  };
  return (
    <form className="toolbar" onSubmit={submit}>
      <label>
        <Trans>Compare with run</Trans>{' '}
        <input
          className="field"
          inputMode="numeric"
          pattern="\d{1,15}"
          title={t`The numeric run ID`}
          required
          value={other}
          onChange={({ target }) => setOther(target.value.trim())}
        />
      </label>
      <button type="submit" className="button primary">
        <Trans>Compare</Trans>
      </button>
    </form>
  );
}

function Candidates({ run, onPick }: { run: Run; onPick: (id: string) => void }) {
  const reading = useQuery(runList({ agent: run.agent_name, limit: LIMIT }));
  return (
    <Loaded reading={reading}>
      {({ results }) => {
        const others = results.filter(({ id }) => id !== run.id);
        return (
          <Section
            title={t`Recent runs of the same agent`}
            empty={others.length === 0 && t`This agent has no other run.`}
          >
            <DataTable
              label={t`Recent runs of the same agent`}
              columns={columnsWith(onPick)}
              rows={others}
              rowKey={({ id }) => String(id)}
              stale={reading.stale}
            />
          </Section>
        );
      }}
    </Loaded>
  );
}

const columnsWith = (onPick: (id: string) => void): Column<RunSummary>[] => [
  {
    name: t`Run`,
    width: 96,
    cell: ({ id }) => (
      <button
        type="button"
        className="link mono"
        aria-label={t`Compare with run ${id}`}
        onClick={() => onPick(String(id))}
      >
        {id}
      </button>
    ),
  },
  { name: t`Workflow`, cell: ({ workflow_name }) => <Clipped text={workflow_name} /> },
  { name: t`Status`, width: 98, cell: ({ status }) => <RunState status={status} /> },
  { name: t`Started`, width: 110, cell: ({ started_at }) => <Ago at={started_at} /> },
  {
    name: t`Duration`,
    width: 106,
    align: 'end',
    cell: (run) => <Elapsed from={run.started_at} to={run.completed_at} />,
  },
  { name: t`Cost`, width: 106, align: 'end', cell: ({ cost }) => formatMoneyInShort(cost) },
];
