import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { policyVersions } from '../data/policy-sources.ts';
import type { PolicyVersion } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Pager } from '../parts/page.tsx';
import { Actor } from '../users/actor.tsx';
import { VersionChange } from './version-change.tsx';

const LIMIT = 50;

const changes: Record<PolicyVersion['change'], string> = {
  create: t`created`,
  update: t`changed`,
  delete: t`deleted`,
  restore: t`restored`,
};

interface PolicyVersionsProps {
  id: string;
  /** The current version; undefined for a deleted policy. */
  current: number | undefined;
  /** Undefined if the user may not change policies. */
  onRestored: (() => Promise<void>) | undefined;
}

/** Table of the versions of a policy, newest first. */
export function PolicyVersions({ id, current, onRestored }: PolicyVersionsProps) {
  const [offset, setOffset] = useState(0);
  const reading = useQuery(policyVersions(id, { limit: LIMIT, offset }));
  const [restoring, setRestoring] = useState<PolicyVersion>();
  const restore = async ({ version }: PolicyVersion) => {
    const params = { id, version: String(version) };
    await api.policies.restorePolicyVersion({ params, body: {} });
    await Promise.all([reading.refetch(), onRestored?.()]);
  };
  return (
    <Loaded reading={reading}>
      {({ results, count }) => (
        <>
          <DataTable
            label={t`Versions`}
            columns={columnsFor(current, onRestored && setRestoring)}
            rows={results}
            rowKey={({ version }) => String(version)}
            rowName={({ version }) => t`version ${version}`}
            detail={VersionDetail}
            stale={reading.stale}
          />
          <Pager
            label={t`Pages of versions`}
            {...{ offset, limit: LIMIT, count }}
            onMove={setOffset}
          />
          {restoring && (
            <ConfirmDialog
              title={t`Restore version ${restoring.version}`}
              action={t`Restore`}
              onConfirm={() => restore(restoring)}
              onClose={() => setRestoring(undefined)}
            >
              <p>
                <Trans>The policy is restored to this state as a new version.</Trans>
              </p>
            </ConfirmDialog>
          )}
        </>
      )}
    </Loaded>
  );
}

const VersionDetail = ({ policy_id, version }: PolicyVersion) => (
  <VersionChange id={policy_id} version={version} />
);

const columnsFor = (
  current: number | undefined,
  restore: ((version: PolicyVersion) => void) | undefined,
): Column<PolicyVersion>[] => [
  { name: t`Version`, width: 84, cell: ({ version }) => `v${version}` },
  { name: t`Type`, width: 92, cell: ({ change }) => <Badge>{changes[change]}</Badge> },
  { name: t`Note`, cell: ({ note }) => <Clipped text={note || NONE} /> },
  { name: t`By`, width: '24%', cell: (one) => <Actor type={one.actor_type} id={one.actor_id} /> },
  { name: t`Time`, width: 108, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    name: t`Actions`,
    width: 104,
    align: 'end',
    cell: (one) =>
      restore &&
      one.version !== current &&
      one.change !== 'delete' && (
        <button type="button" className="button" onClick={() => restore(one)}>
          <Trans>Restore</Trans>
        </button>
      ),
  },
];
