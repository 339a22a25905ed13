import { createServer, type Server } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { HOUR_MS } from '#lib/time-units.ts';
import type { Context } from '../context.ts';
import { tenantOfHost } from '../lib/device-address.ts';
import { listenerCredentials } from '../authorities/listener-credentials.ts';
import { keyBatchQueue } from '../lib/batch-queue.ts';
import { firstTenant } from '../tenants/queries.ts';

const RENEW_MS = HOUR_MS;
/**
 * Renewals are debounced, because each certificate costs milliseconds of CPU time, and a log line
 * if it fails.
 */
const DEBOUNCE_MS = 10;
const MIN_GAP_MS = 1000;

/**
 * Creates the TLS listener for devices. Its certificate is signed by the root of the tenant to
 * which the requested server name (SNI) belongs, by default that of the first tenant. Profiles make
 * devices trust that root.
 *
 * Client certificates are requested but optional, because a device that enrolls has none yet.
 * Routes that need one respond with an error instead of failing the handshake.
 */
export async function createDeviceServer(context: Context): Promise<Server> {
  const ofTenants = new Map<string, Promise<SecureContext>>();
  const server = createServer({
    ...(await ownCredentials(context)),
    requestCert: true,
    rejectUnauthorized: false,
    SNICallback: (name, answer) =>
      void contextFor(context, ofTenants, name).then(
        (secureContext) => answer(null, secureContext),
        (error: Error) => answer(error),
      ),
  });
  const renew = async (): Promise<void> => {
    // A closed listener needs no certificate, and its database is closed too.
    if (!server.listening) return;
    ofTenants.clear();
    server.setSecureContext(await ownCredentials(context));
  };
  const renewals = keyBatchQueue<'renew'>({
    ms: DEBOUNCE_MS,
    minGapMs: MIN_GAP_MS,
    work: renew,
    onError: (err) => {
      if (server.listening) context.log.error({ err }, 'device listener certificate');
    },
  });
  // Signals may be lost, but changes apply after an hour at the latest.
  const timer = setInterval(() => renewals.add('renew'), RENEW_MS);
  timer.unref();
  // A new tenant has its own root, which must be trusted at once.
  const unsubscribe = context.storage.signals.subscribe(({ topic }) => {
    if (topic === 'tenants') renewals.add('renew');
  });
  server.once('close', () => {
    clearInterval(timer);
    unsubscribe();
    void renewals.stop();
  });
  return server;
}

const ownCredentials = async (context: Context) => {
  const { id } = await firstTenant(context.storage.db);
  return listenerCredentials(context, id, 'all devices');
};

/**
 * Returns the TLS context for a server name; undefined selects the listener's own certificate. Only
 * names of existing tenants are cached.
 */
async function contextFor(
  context: Context,
  cache: Map<string, Promise<SecureContext>>,
  name: string,
): Promise<SecureContext | undefined> {
  const tenantId = tenantOfHost(context.urls.device || 'https://localhost', name);
  if (tenantId === null || !(await context.findTenantState(tenantId))) return undefined;
  const pending =
    cache.get(tenantId) ??
    listenerCredentials(context, tenantId, 'its devices').then(createSecureContext);
  cache.set(tenantId, pending);
  // Failures are not cached.
  pending.catch(() => cache.delete(tenantId));
  return pending;
}
