import { once } from 'node:events';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer,
  type Server,
  type Socket,
} from 'node:net';
import { connect, type ConnectionOptions, createSecureContext, type TLSSocket } from 'node:tls';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import {
  createRoot,
  issueIdentity,
  issueIntermediate,
  issueServerCertificate,
} from '#pki/authority.ts';
import { createCsr, readCsr } from '#pki/csr.ts';
import type { CertificateAndKey } from '#pki/sign-certificate.ts';
import { generateKeyPair } from '#pki/keys.ts';
import type { PolicyRefusal } from '#agent/core/capture/enforcement/refusal.ts';
import type { HeldRequest } from '#agent/core/capture/enforcement/held-request.ts';
import type { ConnectionClient, Destination } from '../listeners/capture-listener.ts';
import type { CapturedConnection, CaptureTap } from '../captured-connection.ts';
import { createInterceptor, type Interceptor, type InterceptorOptions } from '../interceptor.ts';
import { createLeafCertificates } from '../leaf-certificates.ts';
import { lookupNonLocal } from '../upstream.ts';

export const CAPTURED = 'api.openai.com';
export const OTHER = 'news.example.org';

export interface RecordedConnection extends CapturedConnection {
  fromClient: string;
  fromServer: string;
  refused: number[];
  passed: number[];
  stopped: boolean;
}

export interface ClientOptions extends ConnectionOptions {
  allowHalfOpen?: boolean;
}

export interface Lab extends AsyncDisposable {
  interceptor: Interceptor;
  /** The current configuration. After changing it, call `interceptor.applyConfig`. */
  config: DeviceConfig;
  client: ConnectionClient;
  /** Finds the client of a new connection; by default this is `client`, without delay. */
  findClient: () => Promise<ConnectionClient>;
  /** The root that clients of the tenant trust. */
  tenantRoot: string;
  /** The authority that signs for the servers of the world. */
  worldRoot: CertificateAndKey;
  recorded: RecordedConnection[];
  /** The held calls. `evaluate` decides them: they pass unless a test changes it. */
  heldRequests: HeldRequest[];
  evaluate: (request: HeldRequest) => Promise<PolicyRefusal | null>;
  notices: string[];
  /** The names that were looked up. */
  lookups: string[];
  /** Whether look-ups get no response. */
  isSilent: boolean;
  /** The lines about blocked connections. */
  blocked: string[];
  /** The offset in ms of the interceptor's clock from the real one. */
  clockOffsetMs: number;
  /** Issues a certificate for a server of the world. */
  certify: (...names: string[]) => Promise<{ key: string; cert: string }>;
  /** Issues a client certificate. */
  certifyClient: (name: string) => Promise<{ key: string; cert: string }>;
  /** Starts a server of the world on loopback; connections through the lab go to the latest one. */
  listen: (server: Server) => Promise<number>;
  /** Resolves server names; by default no name can be resolved. */
  addressOf: (name: string) => string | undefined;
  /** Sends later connections through the lab to this destination. */
  routeTo: (host: string, port: number) => void;
  /** Sets the diverted hosts that have the address of the destination. */
  setHostsOfAddress: (hosts: readonly string[]) => void;
  /** Sets the name by which the client of a proxy calls the destination. */
  setNameOfDestination: (name: string) => void;
  /** Opens a TLS connection through the interceptor. */
  connect: (servername: string, options?: ClientOptions) => TLSSocket;
  /** The port that replaces a listener. */
  port: number;
}

/** Starts an interceptor with real certificates between real sockets. */
export async function startLab(
  limits: Pick<InterceptorOptions, 'connectTimeoutMs' | 'maxHeldBytes'> = {},
): Promise<Lab> {
  const now = Date.now();
  const worldRoot = await createRoot({ name: 'World', now });
  const tenant = await createRoot({ name: 'Tenant', now });
  const keys = await generateKeyPair();
  const csr = await readCsr(await createCsr({ ...keys, commonName: 'dev_1' }));
  const certificateRequest = { csr, deviceId: 'dev_1', hosts: [CAPTURED], now };
  const authority = {
    certificatePem: await issueIntermediate(tenant, certificateRequest),
    privateKeyPem: keys.privateKeyPem,
  };
  const leaves = createLeafCertificates(authority);
  const verifying = createSecureContext({ ca: worldRoot.certificatePem, minVersion: 'TLSv1.2' });

  const config: DeviceConfig = {
    version: 1,
    capture_enabled: true,
    intercept_hosts: [CAPTURED],
    intercept_processes: [],
    blocked_hosts: [],
    blocked_processes: [],
    enforce_policies: false,
    pause_minutes: 0,
    coding_agents: 'off',
    tool_checks: 'off',
  };
  const client: ConnectionClient = {
    pid: 1,
    process: 'curl',
    path: '/usr/bin/curl',
    user: 'ada',
    signingId: null,
  };
  const recorded: RecordedConnection[] = [];
  const notices: string[] = [];
  const blocked: string[] = [];
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let destination: Destination = { host: '127.0.0.1', port: 0, name: null };

  const tap = (connection: CapturedConnection): CaptureTap => {
    const entry: RecordedConnection = {
      ...connection,
      fromClient: '',
      fromServer: '',
      refused: [],
      passed: [],
      stopped: false,
    };
    recorded.push(entry);
    return {
      fromClient: (chunk) => (entry.fromClient += chunk.toString('latin1')),
      fromServer: (chunk) => (entry.fromServer += chunk.toString('latin1')),
      clientEnded: () => undefined,
      serverEnded: () => undefined,
      refused: (id) => entry.refused.push(id),
      passed: (id) => entry.passed.push(id),
      stop: () => (entry.stopped = true),
    };
  };
  const interceptor = createInterceptor({
    config: () => lab.config,
    leafCertificates: () => leaves,
    upstreamContext: () => verifying,
    tap,
    checks: {
      start: () => undefined,
      evaluate: (_, request) => {
        lab.heldRequests.push(request);
        return lab.evaluate(request);
      },
    },
    onNotice: (line) => notices.push(line),
    onBlocked: (line) => blocked.push(line),
    lookup: (name, resolveOptions, done) => {
      const address = lab.addressOf(name);
      lab.lookups.push(name);
      if (lab.isSilent) return;
      if (name === 'localhost') lookupNonLocal(name, resolveOptions, done);
      else if (address === undefined) done(new Error(`${name} leads nowhere`), []);
      else done(null, [{ address, family: 4 }]);
    },
    now: () => Date.now() + lab.clockOffsetMs,
    ...limits,
  });

  const listen = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
    interceptor.handle({ socket, destination, client: lab.findClient() }),
  );
  const port = await listen(listener);

  const lab: Lab = {
    interceptor,
    config,
    client,
    findClient: () => Promise.resolve(lab.client),
    tenantRoot: tenant.certificatePem,
    worldRoot,
    recorded,
    heldRequests: [],
    evaluate: () => Promise.resolve(null),
    notices,
    blocked,
    lookups: [],
    isSilent: false,
    clockOffsetMs: 0,
    addressOf: () => undefined,
    certify: async (...names) => {
      const issued = await issueServerCertificate(worldRoot, { names, now });
      return {
        key: issued.privateKeyPem,
        cert: `${issued.certificatePem}\n${worldRoot.certificatePem}`,
      };
    },
    certifyClient: async (deviceId) => {
      const own = await generateKeyPair();
      const request = await readCsr(await createCsr({ ...own, commonName: deviceId }));
      const cert = await issueIdentity(worldRoot, { csr: request, deviceId, now });
      return { key: own.privateKeyPem, cert };
    },
    listen: async (server) => {
      destination = { host: '127.0.0.1', port: await listen(server), name: null };
      return destination.port;
    },
    routeTo: (host, port) => void (destination = { host, port, name: host }),
    setHostsOfAddress: (hosts) => void (destination = { ...destination, hosts }),
    setNameOfDestination: (name) => void (destination = { ...destination, name }),
    connect: (servername, { allowHalfOpen = false, socket, ...options } = {}) =>
      connect({
        socket:
          socket ??
          connectTcp({ host: '127.0.0.1', port, allowHalfOpen }).on('error', () => undefined),
        servername,
        ca: [tenant.certificatePem, worldRoot.certificatePem],
        ...options,
      }),
    port,
    [Symbol.asyncDispose]: async () => {
      await interceptor.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
  return lab;
}
