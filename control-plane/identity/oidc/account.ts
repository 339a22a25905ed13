import type { Role } from '#contract/route.ts';
import { writeAudit } from '../../audit/with-audit.ts';
import type { Context } from '../../context.ts';
import { usersLock } from '../../storage/locks.ts';
import type { Db } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';
import { firstTenant } from '../../tenants/queries.ts';
import { userChange, requireUser, userView } from '../users/user-management.ts';
import { changeUser, hasOtherOwner, insertUser } from '../users/user-queries.ts';
import { losesOwner } from '../users/user-rules.ts';
import type { Identity } from './exchange.ts';
import { findCandidates } from './oidc-queries.ts';

type Candidate = Awaited<ReturnType<typeof findCandidates>>[number];

export interface Resolved {
  user: Pick<Candidate, 'tenant_id' | 'id' | 'email'>;
}

type Refusal = 'disabled' | 'another identity' | 'another tenant';

export interface OidcAccount {
  identity: Identity;
  email: string;
  /** The role that the provider assigns; undefined if it assigns none. */
  role: Role | undefined;
  address: string;
}

/**
 * Finds or creates the user of an OIDC identity. At the first sign-in this is the user with the
 * email that the provider has verified, or a new user. Afterwards only the identity counts, so that
 * reassigning an email to another person does not transfer the account. The provider belongs to the
 * first tenant, so users of other tenants are rejected.
 */
export async function resolveUser(
  tx: Tx,
  context: Context,
  arriving: OidcAccount,
): Promise<Resolved | (Resolved & { refused: Refusal })> {
  const { identity, email } = arriving;
  const user = await findClaimed(tx.db, identity, email);
  if (!user) return { user: await createUser(tx, context, arriving) };
  // Administrators of a sub-tenant choose the emails of their users, and must not be able to
  // capture sign-ins of the first tenant that way.
  if (user.tenant_id !== (await firstTenant(tx.db)).id) return { refused: 'another tenant', user };
  await tx.lock(usersLock(user.tenant_id));
  if (user.disabled) return { refused: 'disabled', user };
  if (!isSame(user, identity)) {
    if (user.oidc_subject !== null) return { refused: 'another identity', user };
    const { issuer: oidc_issuer, subject: oidc_subject } = identity;
    await changeUser(tx, user.tenant_id, user.id, { oidc_issuer, oidc_subject });
  }
  await followRole(tx, context, user, arriving);
  return { user };
}

/** Finds the existing user of an OIDC identity: by subject, or else by email. */
async function findClaimed(
  db: Db,
  identity: Identity,
  email: string,
): Promise<Candidate | undefined> {
  const candidates = await findCandidates(db, identity, email);
  return candidates.find((user) => isSame(user, identity)) ?? candidates[0];
}

const isSame = ({ oidc_issuer, oidc_subject }: Candidate, { issuer, subject }: Identity): boolean =>
  oidc_issuer === issuer && oidc_subject === subject;

async function createUser(tx: Tx, context: Context, arriving: OidcAccount) {
  const { identity, email, role, address } = arriving;
  const { id: tenant_id } = await firstTenant(tx.db);
  const id = context.newId('usr');
  await insertUser(tx, {
    tenant_id,
    id,
    email,
    password_hash: '',
    role: role ?? context.config.oidc?.defaultRole ?? 'viewer',
    created_at: context.now(),
    oidc_issuer: identity.issuer,
    oidc_subject: identity.subject,
  });
  const after = userView(await requireUser(tx.db, tenant_id, id));
  await writeAudit(tx, context, tenant_id, provider(address), {
    ...userChange('create', id),
    after,
  });
  return { tenant_id, id, email };
}

/** Applies the role that the provider assigns, at every sign-in. */
async function followRole(
  tx: Tx,
  context: Context,
  { tenant_id, id }: Candidate,
  { role, address }: OidcAccount,
): Promise<void> {
  if (role === undefined) return;
  const before = await requireUser(tx.db, tenant_id, id);
  if (before.role === role) return;
  const after = { ...before, role };
  // A role change at the provider must not leave the installation without an owner.
  if (losesOwner(before, after) && !(await hasOtherOwner(tx.db, tenant_id, id))) return;
  await changeUser(tx, tenant_id, id, { role });
  const entry = { ...userChange('update', id), before: userView(before), after: userView(after) };
  await writeAudit(tx, context, tenant_id, provider(address), entry);
}

const provider = (ip: string) => ({ actor_type: 'system', actor_id: 'oidc', ip }) as const;
