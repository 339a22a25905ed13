import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SignedInSession } from '../data/identity-sources.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { browserName } from './browser-name.ts';

interface SessionsListProps {
  sessions: readonly SignedInSession[];
  onEnd: (id: string) => Promise<unknown>;
}

/** Table of the user's console sessions. */
export function SessionsList({ sessions, onEnd }: SessionsListProps) {
  const { error, busy, attempt } = useAttempt();
  if (sessions.length === 0)
    return (
      <p className="muted">
        <Trans>No active sessions.</Trans>
      </p>
    );
  return (
    <>
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      <DataTable
        label={t`Active sessions`}
        columns={columnsFor(busy, (id) => void attempt(() => onEnd(id)))}
        rows={sessions}
        rowKey={({ id }) => id}
      />
    </>
  );
}

const columnsFor = (busy: boolean, end: (id: string) => void): Column<SignedInSession>[] => [
  { name: t`Browser`, cell: (session) => <BrowserCell session={session} /> },
  { name: t`IP address`, width: '20%', cell: ({ address }) => <Clipped mono text={address} /> },
  {
    name: t`Signed in`,
    width: 110,
    wideOnly: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  { name: t`Last used`, width: 110, cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
  {
    name: t`Expires`,
    width: 110,
    wideOnly: true,
    cell: ({ expires_at }) => <Ago at={expires_at} />,
  },
  {
    name: t`Actions`,
    width: 96,
    align: 'end',
    cell: ({ id, current }) =>
      !current && (
        <button type="button" className="button danger" disabled={busy} onClick={() => end(id)}>
          <Trans>Revoke</Trans>
        </button>
      ),
  },
];

const BrowserCell = ({
  session: { user_agent, method, current },
}: {
  session: SignedInSession;
}) => (
  <span className="name-cell">
    <Clipped text={browserName(user_agent)} title={user_agent} />
    {current && (
      <Badge tone="accent">
        <Trans>this session</Trans>
      </Badge>
    )}
    {method === 'oidc' && (
      <Badge>
        <Trans>OpenID Connect</Trans>
      </Badge>
    )}
  </span>
);
