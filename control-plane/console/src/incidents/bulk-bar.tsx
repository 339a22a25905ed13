import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { severities } from '#contract/policy-actions.ts';
import type { Assignee, IncidentChanges } from '../data/incident-sources.ts';
import { Select } from '../parts/choice.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { severityNames } from './incident-state.tsx';
import type { FilterSelection } from './filter-selection.ts';
import './bulk-bar.css';

interface BulkBarProps {
  selection: FilterSelection;
  /** Number of groups that match the filter. */
  groups: number;
  incidents: number;
  users: readonly Assignee[];
  onChange: (changes: IncidentChanges) => Promise<void>;
}

const unassigned = { id: 'none', name: t`No one` };

/** A change of everything that matches the filter. It requires confirmation. */
interface Pending {
  action: string;
  title: string;
  changes: IncidentChanges;
}

/** Bar for changing the selected groups or everything that matches the filter. */
export function BulkBar({ selection, groups, incidents, users, onChange }: BulkBarProps) {
  const { error, busy, attempt } = useAttempt();
  const [pending, setPending] = useState<Pending>();
  const count = selection.isAll ? groups : selection.keys.length;
  const apply = (action: string, changes: IncidentChanges) => {
    const title = plural(incidents, {
      one: `${action}: # incident`,
      other: `${action}: # incidents`,
    });
    if (selection.isAll) setPending({ action, title, changes });
    else void attempt(() => onChange(changes));
  };
  const disabled = busy || count === 0;
  return (
    <div className="bulk-bar" role="group" aria-label={t`Change selected incidents`}>
      <label>
        <input
          type="checkbox"
          checked={selection.isAll}
          onChange={({ target }) => selection.setAll(target.checked)}
        />
        {plural(incidents, {
          one: 'All # incident of this filter',
          other: 'All # incidents of this filter',
        })}
      </label>
      <span className="muted" aria-live="polite">
        {count > 0 &&
          !selection.isAll &&
          plural(count, { one: '# group selected', other: '# groups selected' })}
      </span>
      <span className="spacer" />
      <fieldset disabled={disabled}>
        <legend className="hidden">
          <Trans>Changes</Trans>
        </legend>
        <button
          type="button"
          className="button"
          onClick={() => apply(t`Acknowledge`, { status: 'acknowledged' })}
        >
          <Trans>Acknowledge</Trans>
        </button>
        <button
          type="button"
          className="button"
          onClick={() => apply(t`Resolve`, { status: 'resolved' })}
        >
          <Trans>Resolve</Trans>
        </button>
        <button
          type="button"
          className="button"
          onClick={() => apply(t`Reopen`, { status: 'open' })}
        >
          <Trans>Reopen</Trans>
        </button>
        <Select
          label={t`Set severity`}
          all={t`Severity…`}
          options={severities.map((id) => ({ id, name: severityNames[id] }))}
          value=""
          onChange={(id) => {
            const severity = severities.find((one) => one === id);
            if (severity) apply(t`Change severity`, { severity });
          }}
        />
        <Select
          label={t`Assign to`}
          all={t`Assign…`}
          options={[unassigned, ...users.map(({ id, email }) => ({ id, name: email }))]}
          value=""
          onChange={(id) => apply(t`Assign`, { assignee_id: id === unassigned.id ? null : id })}
        />
      </fieldset>
      {error !== undefined && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      {pending && (
        <ConfirmDialog
          title={pending.title}
          action={pending.action}
          onConfirm={() => onChange(pending.changes)}
          onClose={() => setPending(undefined)}
        >
          <p>
            <Trans>This changes everything that the filter matches, also on other pages.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
