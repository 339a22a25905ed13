import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { identitySettings } from '../data/identity-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

/** Setting: the maximum age of passwords in days. */
export function PasswordAge() {
  const reading = useQuery(identitySettings());
  const [edited, setEdited] = useState<string>();
  const { error, busy, attempt } = useAttempt();
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password_max_age_days = edited?.trim() ? Number(edited) : null;
    void attempt(async () => {
      await api.identity.putIdentitySettings({ body: { password_max_age_days } });
      await reading.refetch();
      setEdited(undefined);
    });
  };
  return (
    <section className="card section" aria-label={t`Passwords`}>
      <h2>
        <Trans>Passwords</Trans>
      </h2>
      <Loaded reading={reading}>
        {({ password_max_age_days }) => (
          <form className="inline-form" onSubmit={save}>
            <FormField
              label={t`Password expiry, days`}
              hint={t`Users with an older password must change it to continue. Leave empty for no limit.`}
              error={error}
            >
              {(control) => (
                <input
                  className="field"
                  type="number"
                  min={1}
                  max={3650}
                  placeholder={t`no limit`}
                  value={edited ?? password_max_age_days ?? ''}
                  onChange={({ target }) => setEdited(target.value)}
                  {...control}
                />
              )}
            </FormField>
            <button type="submit" className="button" disabled={busy || edited === undefined}>
              <Trans>Save</Trans>
            </button>
          </form>
        )}
      </Loaded>
    </section>
  );
}
