import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { api } from '../data/api.ts';
import { enrollmentSettings } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

/** Setting: whether an administrator must approve new devices before they receive certificates. */
export function RequireApproval({ editable }: { editable: boolean }) {
  const reading = useQuery(enrollmentSettings());
  const { error, busy, attempt } = useAttempt();
  return (
    <section className="card section" aria-label={t`Enrollment`}>
      <h2>
        <Trans>Enrollment</Trans>
      </h2>
      <Loaded reading={reading}>
        {(settings) => (
          <div className="button-row">
            <Switch
              label={t`Require approval of new devices`}
              on={settings.require_approval}
              disabled={busy || !editable}
              onChange={(require_approval) =>
                void attempt(async () => {
                  const body = { ...settings, require_approval };
                  await api.enrollment.putEnrollmentSettings({ body });
                  await reading.refetch();
                })
              }
            />
            <span>
              <Trans>Require approval of new devices</Trans>
            </span>
          </div>
        )}
      </Loaded>
      <p className="form-error" role="alert">
        {error}
      </p>
    </section>
  );
}
