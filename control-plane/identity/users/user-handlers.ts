import type { identityRoutes } from '#contract/identity.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../../audit/with-audit.ts';
import type { Handlers } from '../../handler.ts';
import { initialPassword, hashPassword } from '../password/passwords.ts';
import { requireStrong } from '../password/password-rules.ts';
import { queueByCaller } from '../password/fair-queue.ts';
import { deleteSessions, endSessions } from '../sessions/session-queries.ts';
import {
  userChange,
  requireRemainingOwner,
  requireManaged,
  requireMayGrant,
  requireMayManage,
  requireMayReset,
  requireUser,
  userView,
} from './user-management.ts';
import { deleteDashboardsOf } from '../../dashboards/queries.ts';
import { deleteViewsOf } from '../../list-views/queries.ts';
import { changeUser, deleteUser, findUserByEmail, insertUser, listUsers } from './user-queries.ts';
import { gainsPrivileges } from './user-rules.ts';

type Administered = Pick<
  typeof identityRoutes,
  'listUsers' | 'getUser' | 'createUser' | 'updateUser' | 'deleteUser' | 'resetPassword'
>;

export const userHandlers: Handlers<Administered> = {
  async listUsers(context, { caller }) {
    const results = await listUsers(context.storage.db, caller.tenantId);
    return { results, count: results.length };
  },

  getUser: (context, { caller, params }) =>
    requireUser(context.storage.db, caller.tenantId, params.id),

  async createUser(context, request) {
    const { caller, body } = request;
    const { email, role } = body;
    requireMayManage(caller, role);
    await requireMayGrant(context.storage.db, context, caller, role);
    if (body.password !== undefined) requireStrong('password', body.password, email);
    const existing = await findUserByEmail(context.storage.db, email);
    if (existing) throw alreadyExists(caller.tenantId, email, existing);
    const password = body.password ?? initialPassword();
    const initial_password = body.password === undefined ? password : null;
    const record = {
      tenant_id: caller.tenantId,
      id: context.newId('usr'),
      email,
      password_hash: await queueByCaller(caller, () => hashPassword(password)),
      role,
      created_at: context.now(),
      // A password that another person has seen must be changed.
      must_change_password: initial_password || body.must_change_password ? 1 : 0,
    };
    const user = await withAudit(context, request, async (tx, audit) => {
      // Hashing takes time, and the caller may have lost permissions in the meantime.
      await requireMayGrant(tx.db, context, caller, role);
      await insertUser(tx, record);
      const created = await requireUser(tx.db, record.tenant_id, record.id);
      audit({ ...userChange('create', record.id), after: userView(created) });
      return created;
    }).catch(async (error: unknown) => {
      if (!context.storage.isUnique(error)) throw error;
      throw alreadyExists(caller.tenantId, email, await findUserByEmail(context.storage.db, email));
    });
    return { ...user, initial_password };
  },

  updateUser: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params, body } = request;
      const before = await requireManaged(tx, caller, params.id, body.role);
      const requested = {
        role: body.role ?? before.role,
        disabled: body.disabled ?? before.disabled,
      };
      const after = { ...before, ...requested };
      if (gainsPrivileges(before, after)) await requireMayGrant(tx.db, context, caller, after.role);
      await requireRemainingOwner(tx, caller.tenantId, before, after);
      await changeUser(tx, caller.tenantId, params.id, requested);
      if (after.disabled) await endSessions(tx, { ...caller, userId: params.id }, context.now());
      audit({
        ...userChange('update', params.id),
        before: userView(before),
        after: userView(after),
      });
      return after;
    }),

  deleteUser: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params } = request;
      const before = await requireManaged(tx, caller, params.id);
      await requireRemainingOwner(tx, caller.tenantId, before, null);
      await deleteSessions(tx, { ...caller, userId: params.id });
      await deleteViewsOf(tx, caller.tenantId, params.id);
      await deleteDashboardsOf(tx, caller.tenantId, params.id);
      await deleteUser(tx, caller.tenantId, params.id);
      audit({ ...userChange('delete', params.id), before: userView(before) });
      return undefined;
    }),

  async resetPassword(context, request) {
    const { caller, params } = request;
    if ('userId' in caller && caller.userId === params.id)
      throw new ApiError(
        'own_account',
        'change your own password with POST /api/v1/auth/password/',
      );
    await requireMayReset(context.storage.db, context, caller, params.id);
    const initial_password = initialPassword();
    const password_hash = await queueByCaller(caller, () => hashPassword(initial_password));
    return withAudit(context, request, async (tx, audit) => {
      // Hashing took time, and the user may have been deleted or become an owner in the meantime.
      await requireManaged(tx, caller, params.id);
      await requireMayReset(tx.db, context, caller, params.id);
      const now = context.now();
      const passwordFields = { password_hash, must_change_password: 1, password_changed_at: now };
      await changeUser(tx, caller.tenantId, params.id, passwordFields);
      await endSessions(tx, { ...caller, userId: params.id }, now);
      audit(userChange('reset_password', params.id));
      return { initial_password };
    });
  },
};

/** Returns the error for an email that exists, without revealing which other tenant has it. */
const alreadyExists = (
  tenantId: string,
  email: string,
  by: { tenant_id: string } | undefined,
): ApiError =>
  by?.tenant_id === tenantId
    ? new ApiError('already_exists', `a user with the email ${email} already exists`)
    : new ApiError('email_unavailable', 'this email cannot be used here');
