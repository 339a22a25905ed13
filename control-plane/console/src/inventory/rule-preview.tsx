import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RulePreview } from '../data/inventory-sources.ts';
import { api } from '../data/api.ts';
import { kindNames } from '../devices/app-names.ts';
import { NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pathTo } from '../path-id.ts';
import { bodyOf } from './rule-draft.ts';
import type { RuleDraft } from './rule-draft.ts';

type Finding = RulePreview['findings'][number];

const columns: Column<Finding>[] = [
  { name: t`App`, cell: ({ name }) => <Clipped text={name} /> },
  { name: t`Kind`, width: 148, cell: ({ kind }) => kindNames[kind] },
  {
    name: t`Device`,
    width: '18%',
    cell: ({ device_id, hostname }) => (
      <Link to={pathTo('devices', device_id)}>
        <Clipped text={hostname} />
      </Link>
    ),
  },
  { name: t`User`, width: 110, cell: ({ user }) => <Clipped text={user ?? NONE} /> },
  { name: t`Version`, width: 100, cell: ({ version }) => <Clipped text={version ?? NONE} /> },
  { name: t`Reason`, width: '26%', cell: ({ reason }) => <Clipped text={reason} /> },
];
const blocked: Column<Finding> = {
  name: t`Blocks`,
  width: '14%',
  cell: ({ processes }) => (
    <Clipped mono text={processes.join(', ') || t`none (no known process)`} />
  ),
};

/** Shows the apps that a rule would match, before it is saved. */
export function RulePreviewSection({ draft }: { draft: RuleDraft }) {
  const [found, setFound] = useState<RulePreview>();
  const { error, busy, attempt } = useAttempt();
  const loadPreview = () =>
    attempt(async () => {
      const { condition, scope, action } = bodyOf(draft);
      const body = { condition, ...(scope && { scope }), ...(action && { action }) };
      setFound(await api.inventoryRules.previewInventoryRule({ body }));
    });
  return (
    <section className="card" aria-label={t`Preview`}>
      <header className="card-header">
        <h2>
          <Trans>Current matches</Trans>
        </h2>
        <button type="button" className="button" disabled={busy} onClick={() => void loadPreview()}>
          <Trans>Preview</Trans>
        </button>
      </header>
      <p className="form-error" role="alert">
        {error}
      </p>
      {found && !error && <Found found={found} blocks={draft.action === 'block'} />}
    </section>
  );
}

function Found({ found, blocks }: { found: RulePreview; blocks: boolean }) {
  const { app_count, device_count, finding_count, complete, findings } = found;
  if (finding_count === 0)
    return (
      <p role="status">
        <Trans>No app matches.</Trans>
      </p>
    );
  const incidents = plural(finding_count, { one: '# incident', other: '# incidents' });
  const apps = plural(app_count, { one: '# app', other: '# apps' });
  const devices = plural(device_count, { one: '# device', other: '# devices' });
  return (
    <>
      <p role="status">
        {complete
          ? t`${incidents}: ${apps} on ${devices}.`
          : t`At least ${incidents}: ${apps} on ${devices}.`}
        {findings.length < finding_count && (
          <>
            {' '}
            <Trans>The first {findings.length} are shown.</Trans>
          </>
        )}
      </p>
      <DataTable
        label={t`Findings`}
        columns={blocks ? [...columns, blocked] : columns}
        rows={findings}
        rowKey={({ group_id, device_id }) => `${group_id} ${device_id}`}
      />
    </>
  );
}
