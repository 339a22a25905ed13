import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { recordingSettings } from '../data/settings-sources.ts';
import type { RecordingSettings } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Descriptions } from '../parts/descriptions.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { SavedNote } from './saved-note.tsx';
import { daysOf, deletesMore, textOf } from './retention-days.ts';
import type { Days } from './retention-days.ts';

/** Page that sets how long recordings and captures are kept. */
export function RetentionPage({ user }: { user: User }) {
  const reading = useQuery(recordingSettings());
  return (
    <Page title={t`Retention`}>
      <Loaded reading={reading}>
        {(settings) => <RetentionForm {...{ settings, user }} onSaved={reading.refetch} />}
      </Loaded>
      <Section title={t`What is deleted`}>
        <div className="card">
          <Descriptions descriptions={deleted} />
        </div>
      </Section>
    </Page>
  );
}

const deleted = [
  [
    t`Recordings`,
    t`Runs with their calls, steps, spans, scores and evaluations, and their share of totals`,
  ],
  [t`Governance`, t`Checks, resolved incidents and approvals that are no longer valid`],
  [t`Devices`, t`Flows and events; captures have a limit of their own`],
  [t`Memory`, t`Slots that were last written before the limit`],
  [t`OpenTelemetry`, t`Examples of unmapped names; their counts are kept`],
  [t`Audit log`, t`Never deleted`],
] as const;

interface RetentionFormProps {
  settings: RecordingSettings;
  user: User;
  onSaved: () => Promise<void>;
}

const fields = [
  [
    'retention_days',
    t`Keep recordings, days`,
    t`Older recordings, and memory not written since, are deleted. Leave empty to keep them forever.`,
    t`forever`,
  ],
  [
    'capture_retention_days',
    t`Keep captures, days`,
    t`Leave empty to keep them as long as recordings.`,
    t`as recordings`,
  ],
] as const;

function RetentionForm({ settings, user, onSaved }: RetentionFormProps) {
  const [typed, setTyped] = useState<Record<keyof Days, string>>();
  const [confirming, setConfirming] = useState(false);
  const [saved, setSaved] = useState(false);
  const shown = typed ?? {
    retention_days: textOf(settings.retention_days),
    capture_retention_days: textOf(settings.capture_retention_days),
  };
  const days: Days = {
    retention_days: daysOf(shown.retention_days),
    capture_retention_days: daysOf(shown.capture_retention_days),
  };
  const readOnly = !mayAdminister(user);
  const save = async () => {
    const { masking } = await api.settings.getRecordingSettings();
    await api.settings.putRecordingSettings({ body: { masking, ...days } });
    await onSaved();
    setTyped(undefined);
    setSaved(true);
  };
  const { error, busy, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (deletesMore(settings, days)) setConfirming(true);
    else void attempt(save);
  };
  return (
    <form className="card stack" onSubmit={submit}>
      <fieldset disabled={readOnly} className="form-grid">
        {fields.map(([name, label, hint, placeholder]) => (
          <FormField key={name} label={label} hint={hint}>
            {(control) => (
              <input
                className="field"
                type="number"
                min={1}
                max={3650}
                step={1}
                placeholder={placeholder}
                value={shown[name]}
                onChange={({ target }) => {
                  setSaved(false);
                  setTyped({ ...shown, [name]: target.value });
                }}
                {...control}
              />
            )}
          </FormField>
        ))}
      </fieldset>
      {readOnly ? (
        <p className="muted">
          <Trans>Only admins can change the retention.</Trans>
        </p>
      ) : (
        <div className="button-row">
          <button type="submit" className="button primary" disabled={busy || typed === undefined}>
            <Trans>Save</Trans>
          </button>
          <span className="form-error" role="alert">
            {error}
          </span>
          <SavedNote saved={saved} />
        </div>
      )}
      {confirming && (
        <ConfirmDialog
          title={t`Delete older data?`}
          action={t`Save and delete`}
          onConfirm={save}
          onClose={() => setConfirming(false)}
        >
          <p>{sentenceOf(days)}</p>
        </ConfirmDialog>
      )}
    </form>
  );
}

function sentenceOf({ retention_days, capture_retention_days }: Days): string {
  const captures = capture_retention_days ?? retention_days;
  if (retention_days !== null && captures !== null)
    return t`This deletes recordings older than ${retention_days} days and captures older than ${captures} days. Deletion starts at once and cannot be undone.`;
  return retention_days === null
    ? t`This deletes captures older than ${captures ?? 0} days. Deletion starts at once and cannot be undone.`
    : t`This deletes recordings older than ${retention_days} days. Deletion starts at once and cannot be undone.`;
}
