import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { labelMoves } from '../data/prompt-sources.ts';
import type { LabelMove, Prompt } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { markInvisible } from '../mark-invisible.ts';
import { PickLabel, versionOf } from './pick-label.tsx';
import { moveLabel } from './undo-move.tsx';
import type { Move } from './undo-move.tsx';

interface LabelsTabProps {
  prompt: Prompt;
  /** Undefined if the user may not move labels. */
  onMoved: ((move: Move | undefined) => void) | undefined;
}

/** Tab with the version of each label and all changes of labels. */
export const LabelsTab = ({ prompt, onMoved }: LabelsTabProps) => (
  <>
    <Section
      title={t`Labels`}
      empty={
        prompt.labels.length === 0 &&
        t`No labels yet. Agents that name no label get the newest version.`
      }
    >
      <CurrentLabels prompt={prompt} onMoved={onMoved} />
    </Section>
    <Section title={t`History`}>
      {/* The list is reloaded when the prompt changes. */}
      <History key={prompt.updated_at} prompt={prompt} />
    </Section>
  </>
);

interface Current {
  label: string;
  version: number;
}

const labelColumns: Column<Current>[] = [
  { name: t`Label`, cell: ({ label }) => <Clipped text={label} /> },
  { name: t`Version`, width: 110, cell: ({ version }) => `v${version}` },
];

const changeColumn = (
  onMove: (label: string) => void,
  onRemove: (row: Current) => void,
): Column<Current> => ({
  name: t`Change`,
  width: 210,
  cell: (row) => (
    <span className="button-row">
      <button type="button" className="button" onClick={() => onMove(row.label)}>
        <Trans>
          Move…<span className="hidden"> {markInvisible(row.label)}</span>
        </Trans>
      </button>
      <button type="button" className="button danger" onClick={() => onRemove(row)}>
        <Trans>
          Remove…<span className="hidden"> {markInvisible(row.label)}</span>
        </Trans>
      </button>
    </span>
  ),
});

function CurrentLabels({ prompt, onMoved }: LabelsTabProps) {
  const [moving, setMoving] = useState<string>();
  const [removing, setRemoving] = useState<Current>();
  const rows = prompt.labels.map((label) => ({ label, version: versionOf(prompt, label) ?? 0 }));
  const columns = onMoved ? [...labelColumns, changeColumn(setMoving, setRemoving)] : labelColumns;
  return (
    <>
      <DataTable label={t`Labels`} columns={columns} rows={rows} rowKey={({ label }) => label} />
      {moving !== undefined && onMoved && (
        <PickLabel
          prompt={prompt}
          label={moving}
          onMoved={onMoved}
          onClose={() => setMoving(undefined)}
        />
      )}
      {removing && onMoved && (
        <RemoveLabel
          prompt={prompt}
          current={removing}
          onMoved={onMoved}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

interface RemoveLabelProps {
  prompt: Prompt;
  current: Current;
  onMoved: (move: Move) => void;
  onClose: () => void;
}

function RemoveLabel({ prompt, current: { label, version }, onMoved, onClose }: RemoveLabelProps) {
  const move = { label, from: version, to: null };
  return (
    <ConfirmDialog
      title={t`Remove ${markInvisible(label)}`}
      action={t`Remove label`}
      onConfirm={async () => {
        await moveLabel(prompt.id, move);
        onMoved(move);
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          <Text>{label}</Text> points to <strong>v{version}</strong>. Agents that fetch the label
          get an error once it is removed.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}

const LIMIT = 25;

const historyColumns: Column<LabelMove>[] = [
  { name: t`Label`, cell: ({ label }) => <Clipped text={label} /> },
  { name: t`Change`, width: 170, cell: (move) => changeOf(move) },
  { name: t`By`, width: '30%', cell: ({ moved_by }) => <Clipped text={moved_by} /> },
  { name: t`When`, width: 120, cell: ({ moved_at }) => <Ago at={moved_at} /> },
];

function changeOf({ from_version: from, to_version: to }: LabelMove) {
  if (to === null)
    return (
      <Badge tone="bad">
        <Trans>removed from v{from}</Trans>
      </Badge>
    );
  return from === null ? (
    <Badge tone="good">
      <Trans>set on v{to}</Trans>
    </Badge>
  ) : (
    `v${from} → v${to}`
  );
}

function History({ prompt }: { prompt: Prompt }) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(labelMoves(prompt.id, { limit: LIMIT, offset }));
  return (
    <Loaded reading={reading}>
      {({ results, count }) =>
        count === 0 ? (
          <p className="muted">
            <Trans>No label has been moved yet.</Trans>
          </p>
        ) : (
          <>
            <DataTable
              label={t`History of labels`}
              columns={historyColumns}
              rows={results}
              rowKey={({ id }) => id}
            />
            <Pager
              label={t`Pages of the history`}
              {...{ offset, limit: LIMIT, count }}
              onMove={setOffset}
            />
          </>
        )
      }
    </Loaded>
  );
}
