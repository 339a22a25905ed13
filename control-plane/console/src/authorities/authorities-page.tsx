import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { authorityList } from '../data/settings-sources.ts';
import type { Authority } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { AuthorityCard } from './authority-card.tsx';
import type { AuthorityAction } from './authority-card.tsx';
import { RetireAuthority } from './retire-authority.tsx';
import './authorities.css';

interface Pending {
  action: AuthorityAction | 'rotate';
  authority?: Authority;
}

/** The roots that devices trust, and their rotation: create the next, activate it, retire the old. */
export function AuthoritiesPage({ user }: { user: User }) {
  const reading = useQuery(authorityList());
  const [pending, setPending] = useState<Pending>();
  const close = () => setPending(undefined);
  const admin = mayAdminister(user);
  const hasNext = reading.data?.some(({ state }) => state === 'next') ?? true;
  return (
    <Page
      title={t`Certificate authorities`}
      aside={
        admin && (
          <button
            type="button"
            className="button"
            disabled={hasNext}
            title={
              hasNext ? t`There is already a next root: activate or retire it first` : undefined
            }
            onClick={() => setPending({ action: 'rotate' })}
          >
            <Trans>Rotate</Trans>
          </button>
        )
      }
    >
      <p className="page-note muted">
        <Trans>
          Device certificates, and the certificates that Guard shows to apps on devices, are signed
          by the active root. Compare fingerprints before you trust a root anywhere else.
        </Trans>
      </p>
      <Loaded reading={reading}>
        {(authorities) => (
          <div className="stack">
            {authorities
              .filter(({ problem }) => problem !== null)
              .map(({ id, problem }) => (
                <Notice key={id} tone="warn">
                  <Text>{problem ?? ''}</Text>
                </Notice>
              ))}
            {authorities.map((authority) => (
              <AuthorityCard
                key={authority.id}
                authority={authority}
                onAct={admin ? (action) => setPending({ action, authority }) : undefined}
              />
            ))}
          </div>
        )}
      </Loaded>
      {pending?.action === 'rotate' && (
        <ConfirmDialog
          title={t`Create the next root`}
          action={t`Create root`}
          onConfirm={() => api.authorities.rotateAuthority({ body: {} }).then(reading.refetch)}
          onClose={close}
        >
          <p>
            <Trans>
              Profiles contain the new root from now on, in addition to the current one. Nothing
              else changes until you activate it: first deploy a new profile to every device.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {pending?.action === 'activate' && pending.authority && (
        <ConfirmDialog
          title={t`Activate the next root`}
          action={t`Activate`}
          onConfirm={() =>
            api.authorities
              .activateAuthority({ params: { id: pending.authority?.id ?? '' }, body: {} })
              .then(reading.refetch)
          }
          onClose={close}
        >
          <p>
            <Trans>
              It signs all certificates from now on. Devices whose profile does not contain it lose
              their connection to the control plane, and apps on them refuse captured connections.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {pending?.action === 'retire' && pending.authority && (
        <RetireAuthority
          authority={pending.authority}
          onRetired={reading.refetch}
          onClose={close}
        />
      )}
    </Page>
  );
}
