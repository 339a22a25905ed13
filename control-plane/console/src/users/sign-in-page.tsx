import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { signInSettings } from '../data/identity-sources.ts';
import type { SignInSettings } from '../data/identity-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatDuration } from '../format.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Clipped, State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { Descriptions } from '../parts/descriptions.tsx';
import { Loaded, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { Text } from '../parts/text.tsx';
import { PasswordAge } from './password-age.tsx';
import { roleNames } from './role-names.ts';
import './sign-in-page.css';

/** Settings page for sign-in: the company's provider, passwords and sessions. */
export const SignInPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`Sign-in`} user={user}>
    <SignIn />
  </AdminsOnly>
);

function SignIn() {
  const reading = useQuery(signInSettings());
  return (
    <Page title={t`Sign-in`}>
      <Loaded reading={reading}>
        {(settings) => (
          <>
            <Provider oidc={settings.oidc} />
            <Section title={t`Password rules`}>
              <div className="card">
                <Descriptions descriptions={rulesOf(settings)} />
              </div>
            </Section>
          </>
        )}
      </Loaded>
      <PasswordAge />
    </Page>
  );
}

type Oidc = SignInSettings['oidc'];

const states: Record<Oidc['status'], readonly [tone: Tone, name: string, about: string]> = {
  active: ['good', t`Active`, t`Members can sign in with the company’s provider.`],
  add_on_required: ['warn', t`Not active`, t`The add-on Single sign-on is required.`],
  not_configured: [
    'neutral',
    t`Not configured`,
    t`The operator sets OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment of the control plane.`,
  ],
  other_tenant: [
    'neutral',
    t`Not available`,
    t`The provider of an installation serves its first tenant only.`,
  ],
};

function Provider({ oidc: { status, provider } }: { oidc: Oidc }) {
  const [tone, name, about] = states[status];
  return (
    <section className="card" aria-label={t`Single sign-on`}>
      <div className="card-header">
        <h2>
          <Trans>Single sign-on (OpenID Connect)</Trans>
        </h2>
        <State tone={provider?.problem ? 'bad' : tone}>
          {provider?.problem ? t`Not reachable` : name}
        </State>
      </div>
      {provider?.problem && (
        <Notice tone="bad">
          <Trans>
            The provider could not be reached: <Text>{provider.problem}</Text>
          </Trans>
        </Notice>
      )}
      <p className="muted">
        {about}{' '}
        {status === 'add_on_required' && (
          <Link to="/settings/add-ons">
            <Trans>Add-ons</Trans>
          </Link>
        )}
      </p>
      {provider && (
        <div className="provider">
          <Descriptions descriptions={factsOf(provider)} />
        </div>
      )}
    </section>
  );
}

const factsOf = (provider: NonNullable<Oidc['provider']>) =>
  [
    [t`Issuer`, <Clipped key="issuer" mono text={provider.issuer} />],
    [t`Client ID`, <Clipped key="client" mono text={provider.client_id} />],
    [t`Redirect URI`, <Clipped key="redirect" mono text={provider.redirect_uri} />],
    [t`Domains`, provider.allowed_domains?.join(', ') ?? t`Every verified address`],
    [t`Role claim`, provider.role_claim ?? t`None: roles are given on the members page`],
    [
      t`Role map`,
      Object.entries(provider.role_map)
        .map(([value, role]) => `${value} → ${roleNames[role]}`)
        .join(', ') || t`None`,
    ],
    [t`Default role`, roleNames[provider.default_role]],
  ] as const;

function rulesOf({ password, failures, session_seconds }: SignInSettings) {
  const { of_account, of_network } = failures;
  const [least, most] = [password.min_length, formatCount(password.max_length)];
  const window = formatDuration(failures.window_seconds * 1000);
  const session = formatDuration(session_seconds * 1000);
  return [
    [t`Length`, t`${least} to ${most} characters`],
    [t`Refused`, t`Common words, repetitions, sequences, and parts of the email address`],
    [
      t`Failures`,
      t`${of_account} for an account or ${of_network} from a network in ${window}: then the network has to wait`,
    ],
    [t`Sessions`, t`End after ${session}, and when a user is disabled`],
  ] as const;
}
