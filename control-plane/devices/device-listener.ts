import { createServer, type Server } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Context } from '../context.ts';
import { tenantOfHost } from './device-address.ts';
import { listenerCredentials } from '../authorities/listener-credentials.ts';
import { cutRevoked } from '../enrollment/cut-connections.ts';
import { keyBatchQueue } from '../lib/batch-queue.ts';
import { firstTenant } from '../tenancy/queries.ts';
import { getTenantLimits } from '../tenancy/tenant-limits.ts';

const RENEW_MS = 60 * 60 * 1000;
/** Quick changes are one renewal; a certificate costs milliseconds of processor, and a line if it fails. */
const GATHER_MS = 10;
const REST_MS = 1000;

/**
 * The TLS listener for devices. Its certificate comes from the root of the tenant that the name it
 * is called by stands for, of the first tenant otherwise; profiles make devices trust it.
 *
 * A client certificate is asked for but not demanded: a device that enrolls has none yet. Routes
 * that need one refuse with a clear answer instead of a broken handshake.
 */
export async function createDeviceServer(context: Context): Promise<Server> {
  const ofTenants = new Map<string, Promise<SecureContext>>();
  const server = createServer({
    ...(await ownCredentials(context)),
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback: (name, answer) =>
      void contextFor(context, ofTenants, name).then(
        (found) => answer(null, found),
        (error: Error) => answer(error),
      ),
  });
  const renew = async (): Promise<void> => {
    // What is closed needs no certificate, and its database is gone.
    if (!server.listening) return;
    ofTenants.clear();
    server.setSecureContext(await ownCredentials(context));
  };
  const renewals = keyBatchQueue<'renew'>({
    ms: GATHER_MS,
    restMs: REST_MS,
    work: renew,
    onError: (err) => {
      if (server.listening) context.log.error({ err }, 'device listener certificate');
    },
  });
  // Signals may be lost, so what they tell of holds after an hour in any case.
  const timer = setInterval(() => renewals.add('renew'), RENEW_MS);
  timer.unref();
  // A new tenant brings a root of its own, whose devices are to be known at once.
  const unsubscribe = context.storage.signals.subscribe(({ topic }) => {
    if (topic === 'tenants') renewals.add('renew');
  });
  const leaveLines = cutRevoked(server, context);
  server.once('close', () => {
    clearInterval(timer);
    unsubscribe();
    void renewals.stop();
    leaveLines();
  });
  return server;
}

const ownCredentials = async (context: Context) => {
  const { id } = await firstTenant(context.storage.db);
  return listenerCredentials(context, id, 'all devices');
};

/** Undefined is the listener's own. Only names of tenants that are there are remembered. */
async function contextFor(
  context: Context,
  known: Map<string, Promise<SecureContext>>,
  name: string,
): Promise<SecureContext | undefined> {
  const tenantId = tenantOfHost(context.urls.device || 'https://localhost', name);
  if (tenantId === null || !(await getTenantLimits(context.storage, tenantId))) return undefined;
  const made =
    known.get(tenantId) ??
    listenerCredentials(context, tenantId, 'its devices').then(createSecureContext);
  known.set(tenantId, made);
  // What failed once must not be remembered.
  made.catch(() => known.delete(tenantId));
  return made;
}
