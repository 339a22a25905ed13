import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';
import type { z } from 'zod';
import { describeIssues } from '#contract/errors.ts';
import { channelReply, DEVICE_CHANNEL_PATH, deviceRoutes } from '#contract/device-protocol.ts';
import type { CallCheck, CallVerdict } from '#contract/call-check.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { DeviceConfig, Enrollment } from '#contract/device-protocol.ts';
import type { FlowReport } from '#contract/flows.ts';
import type {
  DecidedToolCall,
  ToolCall,
  ToolPolicies,
  ToolVerdict,
} from '#contract/tool-checks.ts';
import {
  createRoot,
  type CertificateAndKey,
  issueIdentity,
  issueIntermediate,
  issueServerCertificate,
} from '#pki/authority.ts';
import { readCsr } from '#pki/csr.ts';

export const noCapture: DeviceConfig = {
  version: 1,
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off',
  tool_checks: 'off',
};

export const captureOf = (version: number, ...intercept_hosts: string[]): DeviceConfig => ({
  ...noCapture,
  version,
  capture_enabled: true,
  intercept_hosts,
});

type RouteName = keyof typeof deviceRoutes;
interface Refusal {
  status: number;
  message: string;
}

/** A control plane for one device, on loopback. It rejects requests that violate the contract. */
export interface TestControlPlane {
  root: CertificateAndKey;
  apiKey: string;
  deviceId: string;
  url: () => string;
  /** The following members are for tests to inspect or change. */
  config: DeviceConfig;
  now: number;
  batches: Map<string, FlowReport[]>;
  inventories: Map<string, unknown[]>;
  captures: CaptureReport[];
  checks: CallCheck[];
  toolChecks: ToolCall[];
  /** Tool calls that the device itself decided. */
  toolCalls: DecidedToolCall[];
  toolPolicies: ToolPolicies;
  /** The verdict on checks of tool calls. */
  toolVerdict: ToolVerdict;
  /** The issued recording keys, the newest last. */
  recordingKeys: string[];
  /** The base of the OTLP routes, as issued with the keys. */
  otlpEndpoint: string;
  /** The time in ms after which a device must request its next key. */
  renewKeysAfter: number;
  /** The verdict on checks of LLM calls. */
  verdict: CallVerdict;
  heartbeats: z.output<typeof deviceRoutes.heartbeat.body>[];
  applied: number[];
  calls: Record<RouteName, number>;
  /** Refuses a request instead of serving it; null serves it. */
  refuse: (route: RouteName, request: IncomingMessage, text: string) => Refusal | null;
  /** The seconds after which to check again whether this device was approved; null once it is. */
  retryAfter: number | null;
  /** Selects routes whose requests are served, but whose responses are lost. */
  losesResponse: (route: RouteName) => boolean;
  /** Changes the issued certificates before they are sent. */
  alter: (issued: Enrollment) => Enrollment | Promise<Enrollment>;
  /** Further roots to trust. */
  otherRoots: string[];
  /** The serials of identities that count as unknown. */
  revoked: Set<string>;
  push: (message: unknown) => void;
  channels: () => number;
  /**
   * Returns the number of open connections. When it is zero, everything that was sent has been
   * read.
   */
  connections: () => number;
  dropChannels: () => void;
  /** Serves on the same port as before, or on a free one. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startTestControlPlane(serverName = '127.0.0.1'): Promise<TestControlPlane> {
  const root = await createRoot({ name: 'Test tenant', now: Date.now() });
  const own = await issueServerCertificate(root, { names: [serverName], now: Date.now() });
  const sockets = new Set<WebSocket>();
  const connections = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;

  const plane: TestControlPlane = {
    root,
    apiKey: 'svc_sk_test_enroll_key',
    deviceId: 'dev_1',
    url: () => `https://127.0.0.1:${port}`,
    config: noCapture,
    now: Date.now(),
    batches: new Map(),
    inventories: new Map(),
    captures: [],
    checks: [],
    toolChecks: [],
    toolCalls: [],
    toolPolicies: { clients: {} },
    toolVerdict: { decision: 'allow', policy: null, reason: '' },
    recordingKeys: [],
    otlpEndpoint: 'https://gatehouse.example/api/v1/otel',
    renewKeysAfter: 60_000,
    verdict: { refused: false, policy: null, reason: '' },
    heartbeats: [],
    applied: [],
    calls: {
      enroll: 0,
      renew: 0,
      getConfig: 0,
      reportInventory: 0,
      reportFlows: 0,
      reportCaptures: 0,
      checkCall: 0,
      getToolPolicies: 0,
      checkTool: 0,
      reportToolCalls: 0,
      issueRecordingKey: 0,
      heartbeat: 0,
    },
    refuse: () => null,
    retryAfter: null,
    losesResponse: () => false,
    alter: (issued) => issued,
    otherRoots: [],
    revoked: new Set(),
    push: (message) => sockets.forEach((socket) => socket.send(JSON.stringify(message))),
    channels: () => sockets.size,
    connections: () => connections.size,
    dropChannels: () => sockets.forEach((socket) => socket.terminate()),
    start: async () => {
      server = serve(plane, own, sockets);
      server.on('connection', (line: Socket) => {
        connections.add(line);
        line.on('close', () => connections.delete(line));
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
    },
    stop: async () => {
      const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
      // closeAllConnections omits connections during their handshake, which would then stay open.
      connections.forEach((line) => line.destroy());
      await closed;
      server = null;
    },
  };
  await plane.start();
  return plane;
}

function serve(plane: TestControlPlane, own: CertificateAndKey, sockets: Set<WebSocket>): Server {
  const server = createServer(
    {
      cert: own.certificatePem,
      key: own.privateKeyPem,
      ca: plane.root.certificatePem,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => void handle(plane, request, response),
  );
  const channels = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.url !== DEVICE_CHANNEL_PATH || !isKnownDevice(plane, request)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    channels.handleUpgrade(request, socket, head, (channel) => {
      sockets.add(channel);
      channel.on('close', () => sockets.delete(channel));
      channel.on('message', (data: Buffer) => {
        plane.applied.push(channelReply.parse(JSON.parse(data.toString())).version);
      });
      channel.send(JSON.stringify({ type: 'config', config: plane.config }));
    });
  });
  return server;
}

async function handle(
  plane: TestControlPlane,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await respond(plane, request, Buffer.concat(chunks).toString());
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
}

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, message, details: {} } },
});

async function respond(plane: TestControlPlane, request: IncomingMessage, text: string) {
  const found = Object.entries(deviceRoutes).find(
    ([, route]) => route.path === request.url && route.method === request.method,
  );
  if (!found) return refusal(404, 'not_found', 'no such path');
  const [name, route] = found as [RouteName, (typeof deviceRoutes)[RouteName]];
  plane.calls[name] += 1;
  const refused = plane.refuse(name, request, text);
  if (refused) return refusal(refused.status, 'test', refused.message);
  if (route.auth === 'api-key' && request.headers['x-svc-key'] !== plane.apiKey)
    return refusal(401, 'unauthorized', 'unknown API key');

  if (route.auth === 'device' && !isKnownDevice(plane, request))
    return refusal(401, 'unauthorized', 'unknown device certificate');

  const read = 'body' in route ? route.body.safeParse(JSON.parse(text)) : null;
  if (read && !read.success)
    return refusal(400, 'validation_error', describeIssues(read.error, 'body'));

  if (name === 'enroll' && plane.retryAfter !== null) {
    const body = { status: 'pending', device_id: plane.deviceId, retry_after: plane.retryAfter };
    return { status: 202, body };
  }
  const body = await actions[name](plane, read?.data as never);
  if (plane.losesResponse(name)) request.socket.destroy();
  return { status: 'status' in route ? route.status : 200, body };
}

function isKnownDevice(plane: TestControlPlane, request: IncomingMessage): boolean {
  const socket = request.socket as TLSSocket;
  const serial = socket.getPeerX509Certificate()?.serialNumber;
  return socket.authorized && serial !== undefined && !plane.revoked.has(serial);
}

type Body<N extends Exclude<RouteName, 'getConfig' | 'getToolPolicies' | 'issueRecordingKey'>> =
  z.output<(typeof deviceRoutes)[N]['body']>;

const actions = {
  enroll: (plane: TestControlPlane, body: Body<'enroll'>) => issue(plane, body),
  renew: (plane: TestControlPlane, body: Body<'renew'>) => issue(plane, body),
  getConfig: async (plane: TestControlPlane) => plane.config,
  reportInventory: async (plane: TestControlPlane, body: Body<'reportInventory'>) => {
    const duplicate = plane.inventories.has(body.batch_id);
    plane.inventories.set(body.batch_id, body.apps);
    return { accepted: body.apps.length, duplicate };
  },
  reportFlows: async (plane: TestControlPlane, body: Body<'reportFlows'>) => {
    const duplicate = plane.batches.has(body.batch_id);
    if (!duplicate) plane.batches.set(body.batch_id, body.flows);
    return { accepted: duplicate ? 0 : body.flows.length, duplicate };
  },
  reportCaptures: async (plane: TestControlPlane, body: Body<'reportCaptures'>) => {
    plane.captures.push(...body.captures);
    return { accepted: body.captures.length, duplicate: false, refused: [] };
  },
  checkCall: async (plane: TestControlPlane, body: Body<'checkCall'>) => {
    plane.checks.push(body);
    return plane.verdict;
  },
  getToolPolicies: async (plane: TestControlPlane) => plane.toolPolicies,
  checkTool: async (plane: TestControlPlane, body: Body<'checkTool'>) => {
    plane.toolChecks.push(body);
    return plane.toolVerdict;
  },
  reportToolCalls: async (plane: TestControlPlane, body: Body<'reportToolCalls'>) => {
    plane.toolCalls.push(...body.calls);
    return { accepted: body.calls.length, duplicate: false };
  },
  issueRecordingKey: async (plane: TestControlPlane) => {
    const key = `svc_sd_test_${plane.recordingKeys.length}`;
    plane.recordingKeys.push(key);
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const times = { renew_at: at(plane.renewKeysAfter), expires_at: at(3 * 60_000) };
    return { key, endpoint: plane.otlpEndpoint, ...times };
  },
  heartbeat: async (plane: TestControlPlane, body: Body<'heartbeat'>) => {
    plane.heartbeats.push(body);
    return { config_version: plane.config.version };
  },
};

async function issue(plane: TestControlPlane, body: Body<'renew'>): Promise<Enrollment> {
  const { root, deviceId, config, now } = plane;
  const hosts = config.capture_enabled ? config.intercept_hosts : [];
  const [identity, intermediate] = [await readCsr(body.identity_csr), await readCsr(body.ca_csr)];
  const request = { deviceId, now };
  return plane.alter({
    device_id: deviceId,
    identity_certificate: await issueIdentity(root, { ...request, csr: identity }),
    intermediate_certificate:
      hosts.length > 0
        ? await issueIntermediate(root, { ...request, csr: intermediate, hosts })
        : null,
    root_certificate: root.certificatePem,
    root_certificates: [root.certificatePem, ...plane.otherRoots],
    config,
  });
}
