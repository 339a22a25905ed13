import { ApiError } from '#contract/errors.ts';
import type { Role } from '#contract/route.ts';
import type { OidcSettings } from '../../config.ts';
import type { Context } from '../../context.ts';
import { CLOCK_SKEW_MS } from '../sessions/session-token.ts';
import { type SignInOrigin, type OpenedSession, openSession } from '../sessions/open-session.ts';
import { deleteExpiredSessions } from '../sessions/session-queries.ts';
import { auditFailure } from '../sign-in/audit-failure.ts';
import { type OidcAccount, type Resolved, resolveUser } from './account.ts';
import type { Identity } from './exchange.ts';
import { isAllowed, mappedRole, verifiedEmail } from './oidc-rules.ts';

const refusals = {
  'email not verified': 'the sign-in provider has not verified your email',
  domain: 'email addresses of this domain may not sign in here',
  'another tenant': 'this account cannot sign in with the sign-in provider: use your password',
  disabled: 'this account is disabled: ask an administrator',
  'another identity': 'your email is linked to another identity of the sign-in provider',
} as const;

interface Refused {
  refused: keyof typeof refusals;
  user?: { tenant_id: string; id: string };
}

/**
 * Opens a session for an OIDC identity that is allowed in.
 *
 * @throws ApiError `forbidden`
 */
export async function openOidcSession(
  context: Context,
  settings: OidcSettings,
  identity: Identity,
  arrival: SignInOrigin,
): Promise<OpenedSession> {
  const outcome = await decideAdmission(context, settings, identity, arrival);
  if (!('refused' in outcome)) {
    const before = context.now() - CLOCK_SKEW_MS;
    const { tenant_id } = outcome.user;
    await context.storage.transaction((tx) => deleteExpiredSessions(tx, tenant_id, before));
    return outcome.session;
  }
  const { refused: reason, user } = outcome;
  const { address } = arrival;
  const email = String(identity.claims.email);
  await auditFailure(context, { method: 'oidc', reason, email, address, user });
  throw new ApiError(
    reason === 'disabled' ? 'account_disabled' : 'sign_in_not_allowed',
    refusals[reason],
  );
}

async function decideAdmission(
  context: Context,
  settings: OidcSettings,
  identity: Identity,
  arrival: SignInOrigin,
): Promise<Refused | (Resolved & { session: OpenedSession })> {
  const email = verifiedEmail(identity.claims);
  if (email === null) return { refused: 'email not verified' };
  if (!isAllowed(email, settings.allowedDomains)) return { refused: 'domain' };
  const role = roleOf(identity, settings);
  return resolveAndOpenSession(
    context,
    { identity, email, role, address: arrival.address },
    arrival,
  );
}

/**
 * Returns the role of an identity. Without a mapped group, the role claim results in the default
 * role, so that leaving a group revokes its role.
 */
const roleOf = ({ claims }: Identity, settings: OidcSettings): Role | undefined =>
  settings.roleClaim ? (mappedRole(claims, settings) ?? settings.defaultRole) : undefined;

async function resolveAndOpenSession(
  context: Context,
  arriving: OidcAccount,
  arrival: SignInOrigin,
) {
  const { storage } = context;
  const attempt = () =>
    storage.transaction(async (tx) => {
      const resolved = await resolveUser(tx, context, arriving);
      if ('refused' in resolved) return resolved;
      return { ...resolved, session: await openSession(tx, context, resolved.user, arrival) };
    });
  return attempt().catch((error: unknown) => {
    // Two first sign-ins have raced, so the retry finds the user that the other one created.
    if (storage.isUnique(error)) return attempt();
    throw error;
  });
}
