import { z } from 'zod';
import { authority, type authorityRoutes } from '#contract/authorities.ts';
import { ApiError } from '#contract/errors.ts';
import { createRoot } from '#pki/authority.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { AdminCaller } from '../http/caller.ts';
import type { Handlers } from '../handler.ts';
import { authoritiesLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { firstTenant } from '../tenants/queries.ts';
import { crlOf } from './crl.ts';
import {
  type AuthorityRow,
  type AuthorityState,
  countIdentities,
  demoteActive,
  findAuthorityById,
  findCrlIssuer,
  insertAuthority,
  listAuthorities,
  revokeCertificatesOf,
  setState,
  findAuthority,
} from './queries.ts';
import { authorityView } from './authority-view.ts';

type AuthorityView = z.output<typeof authority>;

export const authorityHandlers: Handlers<typeof authorityRoutes> = {
  async listAuthorities(context, { caller }) {
    const { db } = context.storage;
    const rows = await listAuthorities(db, caller.tenantId);
    const now = context.now();
    const counts = await countIdentities(db, caller.tenantId, now);
    const results = rows.map((row) => authorityView(row, counts.get(row.id) ?? 0, now));
    return { results, count: results.length };
  },

  async getAuthorityCertificate(context, { caller, params, setHeader }) {
    const { id, certificate } = await existing(context.storage.db, caller.tenantId, params.id);
    setHeader('Content-Disposition', `attachment; filename="${id}.pem"`);
    return certificate;
  },

  /**
   * Rotates a root. The new one is generated before the transaction, because key generation takes
   * time.
   */
  async rotateAuthority(context, request) {
    const { tenantId } = request.caller;
    const now = context.now();
    const id = context.newId('ca');
    // Each root has a unique name, because devices trust several at a time.
    const name = `${context.config.app.name} Root CA ${id}`;
    const root = await createRoot({ name, now });
    const row: AuthorityRow = {
      id,
      tenant_id: tenantId,
      state: 'next',
      certificate: root.certificatePem,
      private_key: context.secrets.encrypt(root.privateKeyPem),
      created_at: now,
    };
    return change(context, request, 'authority.rotate', async (tx) => {
      await insertAuthority(tx, row);
      return { after: authorityView(row, 0, now) };
    });
  },

  activateAuthority: (context, request) =>
    change(context, request, 'authority.activate', async (tx) => {
      const { tenantId } = request.caller;
      const row = await existing(tx.db, tenantId, request.params.id);
      if (row.state !== 'next')
        throw conflict(row, 'invalid_state', 'only the next root can be activated');
      await demoteActive(tx, tenantId);
      return enter(tx, context, row, 'active');
    }),

  retireAuthority: (context, request) =>
    change(context, request, 'authority.retire', async (tx) => {
      const { tenantId } = request.caller;
      const row = await existing(tx.db, tenantId, request.params.id);
      if (row.state === 'retired') throw conflict(row, 'already_done', 'it is already retired');
      if (row.state === 'active')
        throw conflict(row, 'invalid_state', 'activate the next root first');
      const counts = await countIdentities(tx.db, tenantId, context.now());
      const remaining = counts.get(row.id) ?? 0;
      if (remaining > 0 && !request.body.force)
        throw conflict(row, 'invalid_state', `it still signs ${remaining} valid device identities`);
      await revokeCertificatesOf(tx, row, context.now());
      return enter(tx, context, row, 'retired');
    }),

  async getCrl(context, { query, setHeader }) {
    const { db } = context.storage;
    const id = query.authority ?? (await findAuthority(db, (await firstTenant(db)).id)).id;
    const root = await findCrlIssuer(db, id);
    if (!root) throw new ApiError('not_found', `no authority has the id ${JSON.stringify(id)}`);
    setHeader('Cache-Control', 'public, max-age=300');
    return crlOf(context, root);
  },
};

async function enter(
  tx: Tx,
  context: Context,
  row: AuthorityRow,
  state: AuthorityState,
): Promise<Changed> {
  const now = context.now();
  const before = (await countIdentities(tx.db, row.tenant_id, now)).get(row.id) ?? 0;
  await setState(tx, row, state);
  return {
    before: authorityView(row, before, now),
    after: authorityView({ ...row, state }, before, now),
  };
}

interface Changed {
  before?: AuthorityView;
  after: AuthorityView;
}

interface AuthorityRequest {
  caller: AdminCaller;
  address: string;
}

/**
 * Changes the state of a root. Every process then reloads the certificates that its listener
 * presents and trusts.
 */
async function change(
  context: Context,
  request: AuthorityRequest,
  action: string,
  work: (tx: Tx) => Promise<Changed>,
): Promise<AuthorityView> {
  const { storage } = context;
  const { tenantId } = request.caller;
  try {
    const { after } = await withAudit(context, request, async (tx, audit) => {
      await tx.lock(authoritiesLock(tenantId));
      const changed = await work(tx);
      audit({
        action,
        resource_type: 'authority',
        resource_id: changed.after.id,
        ...(changed.before && { before: z.encode(authority, changed.before) }),
        after: z.encode(authority, changed.after),
      });
      return changed;
    });
    storage.signals.publish({ tenant_id: tenantId, topic: 'tenants' });
    return after;
  } catch (error) {
    if (!storage.isUnique(error)) throw error;
    throw new ApiError(
      'already_exists',
      'there is already a next root: activate or retire it first',
    );
  }
}

async function existing(db: Db, tenantId: string, id: string): Promise<AuthorityRow> {
  const row = await findAuthorityById(db, tenantId, id);
  if (!row) throw new ApiError('not_found', `there is no authority ${id}`);
  return row;
}

const conflict = (
  { id, state }: AuthorityRow,
  reason: 'already_done' | 'invalid_state',
  why: string,
): ApiError => new ApiError(reason, `authority ${id} is ${state}: ${why}`);
