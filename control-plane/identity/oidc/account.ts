import type { Role } from '#contract/route.ts';
import { writeAudit } from '../../audit/changing.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../storage/open.ts';
import { firstTenant } from '../../tenancy/queries.ts';
import { change, requireUser, userView } from '../users/managing.ts';
import { changeUser, hasOtherOwner, insertUser } from '../users/user-queries.ts';
import { losesOwner } from '../users/user-rules.ts';
import type { Identity } from './exchange.ts';
import { findCandidates } from './oidc-queries.ts';

type Candidate = Awaited<ReturnType<typeof findCandidates>>[number];

export interface Resolved {
  user: Pick<Candidate, 'tenant_id' | 'id' | 'email'>;
}

type Refusal = 'disabled' | 'another identity' | 'another tenant';

export interface Arriving {
  identity: Identity;
  email: string;
  /** The role the provider assigns; undefined if it assigns none. */
  role: Role | undefined;
  address: string;
}

/**
 * Resolves the user of an OIDC identity. At the first sign-in this is the user with the email the
 * provider has verified, or a new user. Afterwards only the identity counts, so reassigning an
 * email to another person does not transfer the account. The provider belongs to the first tenant:
 * users of other tenants are rejected.
 */
export async function resolveUser(
  context: Context,
  trx: Trx,
  arriving: Arriving,
): Promise<Resolved | (Resolved & { refused: Refusal })> {
  const { identity, email } = arriving;
  const user = await findClaimed(trx, identity, email);
  if (!user) return { user: await createUser(context, trx, arriving) };
  // Administrators of a sub-tenant choose the emails of their users: these must not capture
  // sign-ins of the first tenant.
  if (user.tenant_id !== (await firstTenant(trx)).id) return { refused: 'another tenant', user };
  await context.storage.lock(trx, `users ${user.tenant_id}`);
  if (user.disabled) return { refused: 'disabled', user };
  if (!isSame(user, identity)) {
    if (user.oidc_subject !== null) return { refused: 'another identity', user };
    const { issuer: oidc_issuer, subject: oidc_subject } = identity;
    await changeUser(trx, user.tenant_id, user.id, { oidc_issuer, oidc_subject });
  }
  await followRole(context, trx, user, arriving);
  return { user };
}

/** The existing user of an OIDC identity: by subject, else by email. */
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

async function createUser(context: Context, trx: Trx, arriving: Arriving) {
  const { identity, email, role, address } = arriving;
  const { id: tenant_id } = await firstTenant(trx);
  const id = context.newId('usr');
  await insertUser(trx, {
    tenant_id,
    id,
    email,
    password_hash: '',
    role: role ?? context.config.oidc?.defaultRole ?? 'viewer',
    created_at: context.now(),
    oidc_issuer: identity.issuer,
    oidc_subject: identity.subject,
  });
  const after = userView(await requireUser(trx, tenant_id, id));
  await writeAudit(context, trx, tenant_id, provider(address), { ...change('create', id), after });
  return { tenant_id, id, email };
}

/** If the provider assigns roles, its role is applied at every sign-in. */
async function followRole(
  context: Context,
  trx: Trx,
  { tenant_id, id }: Candidate,
  { role, address }: Arriving,
): Promise<void> {
  if (role === undefined) return;
  const before = await requireUser(trx, tenant_id, id);
  if (before.role === role) return;
  const after = { ...before, role };
  // A role change at the provider must not leave the installation without an owner.
  if (losesOwner(before, after) && !(await hasOtherOwner(trx, tenant_id, id))) return;
  await changeUser(trx, tenant_id, id, { role });
  const entry = { ...change('update', id), before: userView(before), after: userView(after) };
  await writeAudit(context, trx, tenant_id, provider(address), entry);
}

const provider = (ip: string) => ({ actor_type: 'system', actor_id: 'oidc', ip }) as const;
