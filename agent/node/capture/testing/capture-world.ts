import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, request as httpsRequest } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, type Server } from 'node:net';
import {
  connect as connectTls,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import type { CertificateAndKey } from '#pki/sign-certificate.ts';
import {
  captureOf,
  startTestControlPlane,
  type TestControlPlane,
} from '../../testing/control-plane.ts';
import { createManagedTestComputer, type TestComputer } from '../../testing/test-computer.ts';
import type { OpenListeners } from '../listeners/open-listeners.ts';

/** The host that is captured. */
export const HOST = 'api.openai.com';
/** An API key, which every request sends. */
export const SECRET = 'sk-proj-4f9aB2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ0123456789';
/** A request with an e-mail address and an API key in it. */
export const QUESTION = JSON.stringify({
  model: 'gpt-5-mini',
  stream: true,
  messages: [{ role: 'user', content: `my mail is ada@example.com, my key ${SECRET}` }],
});

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

export interface CaptureWorld {
  /** The control plane of the agent. */
  readonly plane: TestControlPlane;
  /** The computer with the agent. */
  readonly computer: TestComputer;
  /** The hosts that the agent currently redirects. */
  hosts: readonly string[];
  /** Routes every captured connection to the server of the test. */
  openListeners: OpenListeners;
  /** Starts the server of `HOST`. */
  serve: (answer: Answer) => Promise<Server>;
  /** Returns a connection to `HOST` through the agent. */
  connect: () => TLSSocket;
  /**
   * Sends a request through the agent. The issuer of the server's certificate shows whether it was
   * captured.
   */
  sendRequest: (path: string, body: string) => Promise<{ text: string; issuer: string }>;
  /** Starts an agent with capture on, and waits until it is in force. */
  startCapturing: (more?: Partial<DeviceConfig>) => Promise<void>;
}

/** Sets up an agent on a computer with a control plane, for each test of a file. */
export function setUpCapture(): CaptureWorld {
  let root: CertificateAndKey;
  const defaults = getCACertificates('default');
  beforeAll(async () => {
    root = await createRoot({ name: 'World', now: Date.now() });
    setDefaultCACertificates([...defaults, root.certificatePem]);
  });
  afterAll(() => setDefaultCACertificates(defaults));

  let plane: TestControlPlane;
  let computer: TestComputer;
  let servers: Server[] = [];
  let listenerPort: number;
  let upstreamPort: number;
  const listen = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  beforeEach(async () => {
    servers = [];
    world.hosts = [];
    plane = await startTestControlPlane();
    computer = createManagedTestComputer(plane);
  });
  afterEach(async () => {
    await computer[Symbol.asyncDispose]();
    await plane.stop();
    for (const server of servers) server.close();
  });

  const world: CaptureWorld = {
    get plane() {
      return plane;
    },
    get computer() {
      return computer;
    },
    hosts: [],
    async openListeners({ onConnection }) {
      const client = {
        pid: 1,
        process: 'claude',
        path: '/opt/claude',
        user: 'ada',
        signingId: null,
      };
      const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
        onConnection({
          socket,
          destination: { host: '127.0.0.1', port: upstreamPort, name: null },
          client: Promise.resolve(client),
        }),
      );
      listenerPort = await listen(server);
      const setHosts = async (now: readonly string[]) => void (world.hosts = now);
      return [{ name: 'explicit', setHosts, close: async () => undefined }];
    },
    async serve(answer) {
      const own = await issueServerCertificate(root, { names: [HOST], now: Date.now() });
      const server = createHttpsServer({ key: own.privateKeyPem, cert: own.certificatePem });
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
      });
      upstreamPort = await listen(server);
      return server;
    },
    connect: () =>
      connectTls({
        socket: connectTcp(listenerPort, '127.0.0.1'),
        servername: HOST,
        ca: [plane.root.certificatePem, root.certificatePem],
      }),
    async sendRequest(path, body) {
      const socket = world.connect();
      const sent = httpsRequest({
        host: HOST,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
        createConnection: () => socket,
      }).end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const issuer = String(socket.getPeerCertificate().issuer.CN);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      socket.destroy();
      return { text: Buffer.concat(chunks).toString('latin1'), issuer };
    },
    async startCapturing(more = {}) {
      plane.config = { ...captureOf(2, HOST), ...more };
      await computer.start({ openListeners: world.openListeners });
      await vi.waitFor(() => expect(world.hosts).toEqual([HOST]));
    },
  };
  return world;
}
