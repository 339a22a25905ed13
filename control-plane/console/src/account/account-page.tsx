import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { api } from '../data/api.ts';
import { ownSessions } from '../data/identity-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { Clipped } from '../parts/badge.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { ChangePassword } from './change-password.tsx';
import { SessionsList } from './sessions-list.tsx';
import { roleNames } from '../users/role-names.ts';

/** The signed-in user's own account, available to every role. */
export function AccountPage({ user }: { user: User }) {
  const reading = useQuery(ownSessions());
  const { error, busy, attempt } = useAttempt();
  const endOthers = () =>
    void attempt(async () => {
      await api.identity.endOtherSessions();
      await reading.refetch();
    });
  return (
    <Page title={t`Your account`}>
      <section className="card" aria-label={t`Account`}>
        <Facts
          facts={[
            [t`Email`, <Clipped key="email" text={user.email} />],
            [t`Role`, roleNames[user.role]],
            [t`Organization`, <Clipped key="organization" text={user.tenant.name} />],
            [
              t`Display`,
              <Link key="display" to="/settings/appearance">
                <Trans>Theme, density and time zone</Trans>
              </Link>,
            ],
          ]}
        />
      </section>
      <Section title={t`Active sessions`}>
        {error !== undefined && <Notice tone="bad">{error}</Notice>}
        <Loaded reading={reading}>
          {(sessions) => (
            <>
              <SessionsList
                sessions={sessions}
                onEnd={async (id) => {
                  await api.identity.endSession({ params: { id } });
                  await reading.refetch();
                }}
              />
              {sessions.length > 1 && (
                <div className="pager">
                  <button type="button" className="button" disabled={busy} onClick={endOthers}>
                    <Trans>Revoke all other sessions</Trans>
                  </button>
                </div>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Section title={t`Password`}>
        <div className="card">
          <ChangePassword email={user.email} onChanged={reading.refetch} />
        </div>
      </Section>
    </Page>
  );
}
