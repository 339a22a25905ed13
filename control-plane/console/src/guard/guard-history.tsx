import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { GuardLevel } from '#contract/guard.ts';
import { guardHistory } from '../data/guard-sources.ts';
import type { GuardChange } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { BeforeAndAfter } from '../policies/version-change.tsx';
import { describeChange } from './describe-change.ts';
import { levelNames } from './levels.ts';
import { RevertDialog } from './revert-dialog.tsx';

const LIMIT = 10;

const changeNames: Record<GuardChange['change'], string> = {
  create: t`created`,
  update: t`changed`,
  delete: t`removed`,
  revert: t`reverted`,
};

const extents = [
  { id: 'layer', name: t`This layer` },
  { id: 'all', name: t`All layers` },
] as const;

interface GuardHistoryProps {
  level: GuardLevel;
  /** An empty string for the global layer. */
  scope: string;
  /** Hostnames by device id. */
  hostnames: ReadonlyMap<string, string>;
  editable: boolean;
  onReverted: () => Promise<unknown>;
}

/** The changes of one layer or of all layers, newest first. Each can be reverted. */
export function GuardHistory({ level, scope, hostnames, editable, onReverted }: GuardHistoryProps) {
  const [extent, setExtent] = useState<'layer' | 'all'>('layer');
  const [offset, setOffset] = useState(0);
  const [reverting, setReverting] = useState<GuardChange>();
  const filter = extent === 'all' ? {} : { layer: level, ...(scope && { scope }) };
  const reading = useQuery(guardHistory({ ...filter, limit: LIMIT, offset }));
  const choose = (chosen: 'layer' | 'all') => {
    setExtent(chosen);
    setOffset(0);
  };
  return (
    <Loaded reading={reading}>
      {({ results, count }) => (
        <Section title={t`History`} count={formatCount(count)}>
          <div className="toolbar">
            <Choice label={t`Changes of`} options={extents} value={extent} onChange={choose} />
          </div>
          {count === 0 && (
            <p className="muted">
              <Trans>This layer has not been changed.</Trans>
            </p>
          )}
          {count > 0 && (
            <DataTable
              label={t`History`}
              columns={columnsFor(hostnames, editable ? setReverting : undefined)}
              rows={results}
              rowKey={({ id }) => id}
              rowName={({ version }) => t`version ${version}`}
              detail={ChangeDetail}
              stale={reading.stale}
            />
          )}
          <Pager
            label={t`Pages of history`}
            {...{ offset, limit: LIMIT, count }}
            onMove={setOffset}
          />
          {reverting && (
            <RevertDialog
              change={reverting}
              onReverted={() => Promise.all([reading.refetch(), onReverted()])}
              onClose={() => setReverting(undefined)}
            />
          )}
        </Section>
      )}
    </Loaded>
  );
}

const ChangeDetail = ({ before, after }: GuardChange) => (
  <div className="opened">
    <BeforeAndAfter before={before} after={after} />
  </div>
);

const columnsFor = (
  hostnames: ReadonlyMap<string, string>,
  revert: ((change: GuardChange) => void) | undefined,
): Column<GuardChange>[] => [
  { name: t`Version`, width: 84, cell: ({ version }) => `v${version}` },
  { name: t`Type`, width: 92, cell: ({ change }) => <Badge>{changeNames[change]}</Badge> },
  {
    name: t`Layer`,
    width: '17%',
    wideOnly: true,
    cell: ({ layer, scope }) => (
      <Clipped text={[levelNames[layer], hostnames.get(scope ?? '') ?? scope ?? ''].join(' ')} />
    ),
  },
  {
    name: t`Change`,
    cell: ({ before, after }) => <Clipped text={describeChange(before, after)} />,
  },
  { name: t`By`, width: '16%', cell: ({ changed_by }) => <Clipped text={changed_by} /> },
  { name: t`Time`, width: 100, cell: ({ changed_at }) => <Ago at={changed_at} /> },
  {
    name: t`Actions`,
    width: 100,
    align: 'end',
    cell: (change) =>
      revert && (
        <button type="button" className="button" onClick={() => revert(change)}>
          <Trans>Revert</Trans>
        </button>
      ),
  },
];
