import { writeAudit } from '../audit/with-audit.ts';
import { createIds } from '../lib/ids.ts';
import type { Secrets } from '../lib/derived-keys.ts';
import { usersLock } from '../storage/locks.ts';
import type { Storage } from '../storage/open.ts';
import { initialPassword, hashPassword } from './password/passwords.ts';
import { endSessions } from './sessions/session-queries.ts';
import { userChange } from './users/user-management.ts';
import { changeUser, findUserByEmail } from './users/user-queries.ts';
import { findAuthority } from '../authorities/queries.ts';

interface Means {
  storage: Storage;
  secrets: Secrets;
  now: () => number;
}

/**
 * Resets the password of a user who has no other way to recover it, and ends their sessions.
 *
 * @throws Error if there is no such user; SettingError if SECRET_KEY is not that of the database
 */
export async function recoverUser(
  { storage, secrets, now }: Means,
  email: string,
): Promise<{ password: string; disabled: boolean }> {
  const user = await findUserByEmail(storage.db, email.trim());
  if (!user) throw new Error(`there is no user with the email ${email}`);
  // This checks the key, because an audit entry that is written with another one would break the
  // chain.
  secrets.decrypt((await findAuthority(storage.db, user.tenant_id)).private_key);
  const password = initialPassword();
  const password_hash = await hashPassword(password);
  const { tenant_id, id } = user;
  await storage.transaction(async (tx) => {
    await tx.lock(usersLock(tenant_id));
    const passwordFields = { password_hash, must_change_password: 1, password_changed_at: now() };
    await changeUser(tx, tenant_id, id, passwordFields);
    await endSessions(tx, { tenantId: tenant_id, userId: id }, now());
    const ids = createIds();
    const context = { secrets, now, newId: (prefix: string) => ids(prefix, now()) };
    const actor = { actor_type: 'system', actor_id: 'users command', ip: null } as const;
    await writeAudit(tx, context, tenant_id, actor, userChange('reset_password', id));
  });
  return { password, disabled: Boolean(user.disabled) };
}
