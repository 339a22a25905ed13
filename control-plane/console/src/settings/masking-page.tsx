import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { mayAdminister, mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { recordingSettings } from '../data/settings-sources.ts';
import type { Masking, RecordingSettings } from '../data/settings-sources.ts';
import { api } from '../data/api.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Switch } from '../parts/switch.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { BuiltinTypes } from './builtin-types.tsx';
import { OwnRules } from './own-rules.tsx';
import { SavedNote } from './saved-note.tsx';
import { TryMasking } from './try-masking.tsx';
import './masking-page.css';

/** Page with the rules for masking recordings before they are stored. */
export function MaskingPage({ user }: { user: User }) {
  const reading = useQuery(recordingSettings());
  return (
    <Page title={t`Masking`}>
      <p className="page-note muted">
        <Trans>
          Replaces sensitive values with placeholders such as <code>##EMAIL##</code> before a
          recording is stored. The original values are not stored. Names and ids of agents, models,
          sessions and users are not masked. Changes apply to new recordings.
        </Trans>
      </p>
      <Loaded reading={reading}>
        {(settings) => <MaskingForm {...{ settings, user }} onSaved={reading.refetch} />}
      </Loaded>
    </Page>
  );
}

interface MaskingFormProps {
  settings: RecordingSettings;
  user: User;
  onSaved: () => Promise<void>;
}

function MaskingForm({ settings, user, onSaved }: MaskingFormProps) {
  const [edited, setEdited] = useState<Masking>();
  const [saved, setSaved] = useState(false);
  const { error, busy, attempt } = useAttempt();
  const masking = edited ?? settings.masking;
  const readOnly = !mayAdminister(user);
  const edit = (changes: Partial<Masking>) => {
    setSaved(false);
    setEdited({ ...masking, ...changes });
  };
  const save = () =>
    void attempt(async () => {
      // The page about retention may have changed the other settings meanwhile.
      const { masking: _, ...rest } = await api.settings.getRecordingSettings();
      await api.settings.putRecordingSettings({ body: { ...rest, masking } });
      await onSaved();
      setEdited(undefined);
      setSaved(true);
    });
  return (
    <>
      <div className="card masking-state">
        <div>
          <h2>
            <Trans>Mask recordings</Trans>
          </h2>
          <p className="muted">
            {masking.enabled
              ? t`Rules are applied to every new recording, and keys and patterns on devices too.`
              : t`Off: recordings are stored as they were sent. Devices always mask the built-in types.`}
          </p>
        </div>
        <Switch
          label={t`Mask recordings`}
          on={masking.enabled}
          disabled={readOnly}
          onChange={(enabled) => edit({ enabled })}
        />
      </div>
      <fieldset disabled={readOnly}>
        <Section title={t`Built-in types`}>
          <BuiltinTypes chosen={masking.builtin} onChange={(builtin) => edit({ builtin })} />
        </Section>
        <OwnRules masking={masking} onEdit={edit} />
      </fieldset>
      {readOnly && (
        <p className="muted">
          <Trans>Only admins can change these rules.</Trans>
        </p>
      )}
      {mayWrite(user) && <TryMasking masking={masking} />}
      {!readOnly && (
        <div className={edited === undefined ? 'save-row' : 'save-bar'}>
          <span>
            {edited !== undefined && !error && t`Not saved yet.`}
            <span className="form-error" role="alert">
              {error}
            </span>
            <SavedNote saved={saved} />
          </span>
          {edited !== undefined && (
            <>
              <button type="button" className="button" onClick={() => setEdited(undefined)}>
                <Trans>Discard</Trans>
              </button>
              <button type="button" className="button primary" disabled={busy} onClick={save}>
                <Trans>Save</Trans>
              </button>
            </>
          )}
        </div>
      )}
    </>
  );
}
