import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { keyOfAgent } from '../data/capture-sources.ts';
import type { CaptureAgent } from '../data/capture-sources.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';

interface Actions {
  onChange: (rule: CaptureAgent) => void;
  onRemove: (rule: CaptureAgent) => void;
}

interface AgentsTableProps {
  rules: readonly CaptureAgent[];
  /** Undefined if the user may not change the mapping. */
  actions: Actions | undefined;
}

export const AgentsTable = ({ rules, actions }: AgentsTableProps) => (
  <DataTable
    label={t`Agents`}
    columns={actions ? [...columns, actionsColumn(actions)] : columns}
    rows={rules}
    rowKey={keyOfAgent}
  />
);

const columns: Column<CaptureAgent>[] = [
  { name: t`App`, cell: ({ app }) => <NameOr name={app} any={t`any app`} /> },
  {
    name: t`Device`,
    cell: ({ device_id, hostname }) => <NameOr name={hostname ?? device_id} any={t`any device`} />,
  },
  { name: t`Agent`, cell: ({ agent_name }) => <NameOr name={agent_name} any={t`no runs`} /> },
  {
    name: t`Changed`,
    width: 110,
    wideOnly: true,
    cell: ({ updated_at }) => <Ago at={updated_at} />,
  },
  {
    name: t`By`,
    width: '16%',
    wideOnly: true,
    cell: ({ updated_by }) => <Clipped text={updated_by} />,
  },
];

const actionsColumn = ({ onChange, onRemove }: Actions): Column<CaptureAgent> => ({
  name: t`Actions`,
  width: 190,
  align: 'end',
  cell: (rule) => (
    <span className="button-row">
      <button type="button" className="button" onClick={() => onChange(rule)}>
        <Trans>Change</Trans>
      </button>
      <button type="button" className="button danger" onClick={() => onRemove(rule)}>
        <Trans>Remove</Trans>
      </button>
    </span>
  ),
});

const NameOr = ({ name, any }: { name: string | null; any: string }) =>
  name === null ? <span className="muted">{any}</span> : <Clipped text={name} />;
