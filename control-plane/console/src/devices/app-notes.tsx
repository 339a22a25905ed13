import { type SubmitEvent, useState } from 'react';
import type { AppSettings } from '#contract/app-settings.ts';
import { api } from '../data/api.ts';
import { appSettings } from '../data/enrollment-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

const fields = [
  { field: 'contact', label: 'Whom people ask', hint: 'Such as: IT service desk' },
  {
    field: 'contact_address',
    label: 'Where',
    hint: 'An e-mail address, a telephone number or a web address',
  },
  {
    field: 'newest_version',
    label: 'Newest version of the app',
    hint: 'An older app says that this one is to come, from device management',
  },
] as const satisfies { field: keyof AppSettings; label: string; hint: string }[];

/** What the app on devices tells the people who use them. */
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
    <section className="card section" aria-label="The app on devices">
      <h2>What the app tells people</h2>
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
