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
import './sign-in-page.css';

/** How members sign in: the company's provider, passwords and sessions. */
export const SignInPage = ({ user }: { user: User }) => (
  <AdminsOnly title="Sign-in" user={user}>
    <SignIn />
  </AdminsOnly>
);

function SignIn() {
  const reading = useQuery(signInSettings());
  return (
    <Page title="Sign-in">
      <Loaded reading={reading}>
        {(settings) => (
          <>
            <Provider oidc={settings.oidc} />
            <Section title="Password rules">
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
  active: ['good', 'Active', 'Members can sign in with the company’s provider.'],
  add_on_required: ['warn', 'Not active', 'It needs the add-on Single sign-on.'],
  not_configured: [
    'neutral',
    'Not configured',
    'The operator sets OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET in the environment of the control plane.',
  ],
  other_tenant: [
    'neutral',
    'Not available',
    'The provider of an installation serves its first tenant only.',
  ],
};

function Provider({ oidc: { status, provider } }: { oidc: Oidc }) {
  const [tone, name, about] = states[status];
  return (
    <section className="card" aria-label="Single sign-on">
      <div className="card-header">
        <h2>Single sign-on (OpenID Connect)</h2>
        <State tone={provider?.problem ? 'bad' : tone}>
          {provider?.problem ? 'Not reachable' : name}
        </State>
      </div>
      {provider?.problem && (
        <Notice tone="bad">
          The provider could not be reached: <Text>{provider.problem}</Text>
        </Notice>
      )}
      <p className="muted">
        {about} {status === 'add_on_required' && <Link to="/settings/add-ons">Add-ons</Link>}
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
    ['Issuer', <Clipped key="issuer" mono text={provider.issuer} />],
    ['Client ID', <Clipped key="client" mono text={provider.client_id} />],
    ['Redirect URI', <Clipped key="redirect" mono text={provider.redirect_uri} />],
    ['Domains', provider.allowed_domains?.join(', ') ?? 'Every verified address'],
    ['Role claim', provider.role_claim ?? 'None: roles are given on the members page'],
    [
      'Role map',
      Object.entries(provider.role_map)
        .map(([value, role]) => `${value} → ${role}`)
        .join(', ') || 'None',
    ],
    ['Default role', provider.default_role],
  ] as const;

const rulesOf = ({ password, failures, session_seconds }: SignInSettings) =>
  [
    ['Length', `${password.min_length} to ${formatCount(password.max_length)} characters`],
    ['Refused', 'Common words, repetitions, sequences, and parts of the email address'],
    [
      'Failures',
      `${failures.of_account} for an account or ${failures.of_network} from a network in ${formatDuration(failures.window_seconds * 1000)}: then the network must wait`,
    ],
    [
      'Sessions',
      `End after ${formatDuration(session_seconds * 1000)}, and when a user is disabled`,
    ],
  ] as const;
