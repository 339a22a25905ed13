import { createServer, type Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { issueServerCertificate } from '#pki/authority.ts';
import type { Context } from './context.ts';
import { loadAuthority } from './endpoint/authority.ts';
import { listRootCertificates } from './endpoint/enrollment/queries.ts';
import { firstTenant } from './tenancy/queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The TLS listener for devices. Its certificate comes from the first tenant's CA, which the
 * profile makes devices trust; it lives 90 days and is replaced every 24 (timers cannot wait longer).
 *
 * A client certificate is asked for but not demanded: a device that enrolls has none yet. Routes
 * that need one refuse with a clear answer instead of a broken handshake.
 */
export async function createDeviceServer(context: Context): Promise<Server> {
  const server = createServer({
    ...(await credentials(context)),
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  });
  const renew = (): void =>
    void credentials(context).then(
      (fresh) => server.setSecureContext(fresh),
      (error: unknown) => context.log.error({ err: error }, 'device listener certificate'),
    );
  const timer = setInterval(renew, 24 * DAY_MS);
  timer.unref();
  // A new tenant brings a root of its own, whose devices are to be known at once.
  const unsubscribe = context.storage.signals.subscribe(({ topic }) => {
    if (topic === 'tenants' && server.listening) renew();
  });
  server.on('close', () => {
    clearInterval(timer);
    unsubscribe();
  });
  return server;
}

async function credentials(context: Context): Promise<SecureContextOptions> {
  const { db } = context.storage;
  const tenant = await firstTenant(db);
  const root = await loadAuthority(context, db, tenant.id);
  const names = [...new Set([deviceHostOf(context), 'localhost', '127.0.0.1', '::1'])];
  const server = await issueServerCertificate(root, { names, now: context.now() });
  return {
    cert: [server.certificatePem, root.certificatePem].join('\n'),
    key: server.privateKeyPem,
    ca: await listRootCertificates(db),
  };
}

const deviceHostOf = ({ config }: Context): string =>
  new URL(config.deviceUrl ?? 'https://localhost').hostname.replace(/^\[|\]$/g, '');
