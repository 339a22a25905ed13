import { type SubmitEvent, useState } from 'react';
import type { AppSettings } from '#contract/app-settings.ts';
import { api } from '../data/api.ts';
import { appSettings } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

const fields = [
  { field: 'contact', label: 'Support contact', hint: 'For example: IT service desk' },
  {
    field: 'contact_address',
    label: 'Contact address',
    hint: 'Email address, phone number or URL',
  },
  {
    field: 'newest_version',
    label: 'Latest app version',
    hint: 'Older apps show that this version will be installed by device management',
  },
] as const satisfies { field: keyof AppSettings; label: string; hint: string }[];

/** Information that the app on devices shows to its users. */
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
    <section className="card section" aria-label="Device app">
      <h2>Device app</h2>
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
                Save
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
