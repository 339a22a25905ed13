import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { Incident, IncidentStatus } from '../data/incident-sources.ts';
import { useAttempt } from '../parts/use-attempt.ts';

interface SettleIncidentProps {
  incident: Incident;
  onChanged: () => Promise<void>;
}

const transitions: Record<IncidentStatus, readonly (readonly [IncidentStatus, string])[]> = {
  open: [
    ['acknowledged', t`Acknowledge`],
    ['resolved', t`Resolve`],
  ],
  acknowledged: [
    ['resolved', t`Resolve`],
    ['open', t`Reopen`],
  ],
  resolved: [['open', t`Reopen`]],
};

/** Form for the status and note of an incident. Every button also saves the note. */
export function SettleIncident({ incident, onChanged }: SettleIncidentProps) {
  const [edited, setEdited] = useState<string>();
  const { error, busy, attempt } = useAttempt();
  const note = edited ?? incident.note;
  const change = (body: { status?: IncidentStatus; note?: string }) =>
    attempt(async () => {
      await api.incidents.updateIncident({ params: { id: incident.id }, body });
      await onChanged();
      setEdited(undefined);
    });
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void change({ note });
  };
  return (
    <form className="settle" onSubmit={save}>
      <label>
        <Trans>Note</Trans>
        <textarea
          className="field"
          rows={2}
          maxLength={10_000}
          value={note}
          onChange={({ target }) => setEdited(target.value)}
        />
      </label>
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="button-row">
        {transitions[incident.status].map(([status, name], at) => (
          <button
            key={status}
            type="button"
            className={at === 0 ? 'button primary' : 'button'}
            disabled={busy}
            onClick={() => void change({ status, ...(edited !== undefined && { note }) })}
          >
            {name}
          </button>
        ))}
        <button type="submit" className="button" disabled={busy || note === incident.note}>
          <Trans>Save note</Trans>
        </button>
      </div>
    </form>
  );
}
