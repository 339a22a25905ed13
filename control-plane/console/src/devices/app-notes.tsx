import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import type { AppSettings } from '#contract/app-settings.ts';
import { api } from '../data/api.ts';
import { appSettings } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

const fields = [
  { field: 'contact', label: t`Support contact`, hint: t`For example: IT service desk` },
  {
    field: 'contact_address',
    label: t`Contact address`,
    hint: t`Email address, phone number or URL`,
  },
  {
    field: 'newest_version',
    label: t`Latest app version`,
    hint: t`Older apps show that this version will be installed by device management`,
  },
] as const satisfies { field: keyof AppSettings; label: string; hint: string }[];

/** Form for the information that the app on devices shows to its users. */
export function AppNotes({ editable }: { editable: boolean }) {
  const reading = useQuery(appSettings());
  const [edited, setEdited] = useState<Partial<AppSettings>>({});
  const { error, busy, attempt } = useAttempt();
  const save = (event: SubmitEvent<HTMLFormElement>, before: AppSettings) => {
    event.preventDefault();
    void attempt(async () => {
      await api.appSettings.putAppSettings({ body: { ...before, ...edited } });
      await reading.refetch();
      setEdited({});
    });
  };
  return (
    <section className="card section" aria-label={t`Device app`}>
      <h2>
        <Trans>Device app</Trans>
      </h2>
      <Loaded reading={reading}>
        {(settings) => (
          <form className="inline-form" onSubmit={(event) => save(event, settings)}>
            {fields.map(({ field, label, hint }) => (
              <FormField key={field} label={label} hint={hint}>
                {(control) => (
                  <input
                    className="field"
                    maxLength={200}
                    disabled={!editable}
                    value={(field in edited ? edited : settings)[field] ?? ''}
                    onChange={({ target }) =>
                      setEdited({ ...edited, [field]: target.value.trim() ? target.value : null })
                    }
                    {...control}
                  />
                )}
              </FormField>
            ))}
            {editable && (
              <button
                type="submit"
                className="button"
                disabled={busy || Object.keys(edited).length === 0}
              >
                <Trans>Save</Trans>
              </button>
            )}
          </form>
        )}
      </Loaded>
      <p className="form-error" role="alert">
        {error}
      </p>
    </section>
  );
}
