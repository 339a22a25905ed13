import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { contract } from '#contract/index.ts';
import type { Authority } from '../data/settings-sources.ts';
import { formatCount, formatExact } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Facts } from '../parts/page.tsx';

export type AuthorityAction = 'activate' | 'retire';

const states: Record<Authority['state'], readonly [tone: Tone, name: string, about: string]> = {
  active: ['good', t`Active`, t`Trusted, and signs certificates`],
  next: ['accent', t`Next`, t`Trusted by new profiles, does not sign yet`],
  previous: ['warn', t`Previous`, t`Trusted, no longer signs`],
  retired: ['neutral', t`Retired`, t`Not trusted`],
};

interface AuthorityCardProps {
  authority: Authority;
  /** Undefined if the user may not change authorities. */
  onAct: ((action: AuthorityAction) => void) | undefined;
}

export function AuthorityCard({ authority, onAct }: AuthorityCardProps) {
  const { id, state, subject, fingerprint, created_at, expires_at, identities } = authority;
  const [tone, name, about] = states[state];
  return (
    <section className="card authority" aria-label={t`${name} root`}>
      <div className="card-header">
        <div>
          <h2>
            <State tone={tone}>{name}</State>
          </h2>
          <p className="muted">{about}</p>
        </div>
        <div className="button-row">
          <a className="button" href={pathOfCertificate(id)} download={`${id}.pem`}>
            <Trans>Download</Trans>
          </a>
          {onAct && state === 'next' && (
            <button type="button" className="button primary" onClick={() => onAct('activate')}>
              <Trans>Activate</Trans>
            </button>
          )}
          {onAct && (state === 'next' || state === 'previous') && (
            <button type="button" className="button danger" onClick={() => onAct('retire')}>
              <Trans>Retire</Trans>
            </button>
          )}
        </div>
      </div>
      <Facts
        facts={[
          [t`Subject`, <Clipped key="subject" text={subject} />],
          [t`Valid from`, <span key="from">{formatExact(Date.parse(created_at))}</span>],
          [
            t`Valid until`,
            <span key="until">
              {formatExact(Date.parse(expires_at))} (<Ago at={expires_at} />)
            </span>,
          ],
          [t`Signed`, t`${formatCount(identities)} valid device identities`],
        ]}
      />
      <div className="fingerprint">
        <span className="muted">
          <Trans>SHA-256</Trans>
        </span>
        <code className="whole">{fingerprint}</code>
        <CopyButton text={fingerprint} label={t`Copy the fingerprint`} />
      </div>
    </section>
  );
}

const pathOfCertificate = (id: string): string =>
  contract.authorities.getAuthorityCertificate.path.replace('{id}', encodeURIComponent(id));
