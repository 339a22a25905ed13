import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isIP, connect as connectTcp } from 'node:net';
import { connect as connectTls, getCACertificates, type DetailedPeerCertificate } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { json } from 'node:stream/consumers';
import type { Anchor, ControlPlaneFacts } from '#agent/core/doctor/control-plane.ts';
import { oneLine } from '#lib/one-line.ts';
import { deviceRoutes } from '#contract/device-protocol.ts';
import { errnoOf } from '../state/atomic-file.ts';
import { readTrustedRoots } from '../identity/trusted-roots.ts';

export interface ProbeOptions {
  apiUrl: string;
  trustedRootsFile: string | null;
  /** The roots as PEM, received from the control plane when this computer enrolled. */
  tenantRoots: readonly string[];
  proxies: readonly string[];
  timeoutMs?: number;
}

interface ProbeTarget {
  apiUrl: string;
  host: string;
  port: number;
  timeoutMs: number;
}

/**
 * Probes the connection from this computer to its control plane, step by step. Sends no
 * credentials.
 */
export async function probeControlPlane(options: ProbeOptions): Promise<ControlPlaneFacts> {
  const { apiUrl, timeoutMs = 5000, proxies } = options;
  const { hostname, port } = new URL(apiUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { apiUrl, host, port: Number(port || 443), timeoutMs };
  const addresses = await resolveHost(host);
  const connection = 'error' in addresses ? null : await tryConnect(target);
  const isConnected = connection !== null && !('error' in connection);
  const tls = isConnected ? await tryTls(target, options) : null;
  const isTls = tls !== null && !('error' in tls);
  const response = isTls ? await tryRequest(target) : null;
  return {
    host,
    port: target.port,
    addresses,
    connection,
    tls,
    response,
    proxies,
    now: Date.now(),
  };
}

const codeOf = (error: unknown): string =>
  errnoOf(error) ?? oneLine(error instanceof Error ? error.message : String(error));

async function resolveHost(host: string): Promise<ControlPlaneFacts['addresses']> {
  try {
    const found = await lookup(host, { all: true });
    return { found: [...new Set(found.map(({ address }) => address))] };
  } catch (error) {
    return { error: codeOf(error) };
  }
}

/** Uses the first error of an AggregateError. Only the first call of `settle` has an effect. */
function tryConnect({
  host,
  port,
  timeoutMs,
}: ProbeTarget): Promise<ControlPlaneFacts['connection']> {
  return new Promise((settle) => {
    const socket = connectTcp({ host, port });
    socket.setTimeout(timeoutMs, () => socket.destroy(timedOut()));
    socket.on('error', (error) => {
      const first = error instanceof AggregateError ? (error.errors as unknown[])[0] : error;
      settle({ error: codeOf(first) });
    });
    socket.on('connect', () => {
      settle({ address: socket.remoteAddress ?? host });
      socket.destroy();
    });
  });
}

const timedOut = (): Error => Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });

/** Completes the handshake with any certificate, to inspect it. */
function tryTls(target: ProbeTarget, options: ProbeOptions): Promise<ControlPlaneFacts['tls']> {
  const { host, port, timeoutMs } = target;
  const read = readTrustedRoots(options.trustedRootsFile, options.tenantRoots);
  const ca = 'roots' in read ? read.roots : getCACertificates('system');
  return new Promise((settle) => {
    const socket = connectTls({
      host,
      port,
      ca: [...ca],
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(timedOut()));
    socket.on('error', (error) => settle({ error: codeOf(error) }));
    socket.on('secureConnect', () => {
      const peer = socket.getPeerCertificate(true);
      const reason = socket.authorizationError as Error | string | null;
      const refused = socket.authorized ? null : refusalOf(reason);
      settle(describe(peer, refused, options.tenantRoots));
      socket.destroy();
    });
  });
}

/** Returns the code and the reason: Node reports the code alone, or an error with a code. */
const refusalOf = (reason: Error | string | null): { code: string; reason: string } =>
  reason instanceof Error
    ? { code: codeOf(reason), reason: reason.message }
    : { code: String(reason), reason: String(reason) };

function describe(
  peer: DetailedPeerCertificate,
  refused: { code: string; reason: string } | null,
  tenantRoots: readonly string[],
): ControlPlaneFacts['tls'] {
  const last = lastInChain(peer);
  const isSelfSigned = last.issuerCertificate?.fingerprint256 === last.fingerprint256;
  const authority = nameOf(isSelfSigned ? last.subject : last.issuer);
  const certificate = {
    subject: peer.subjectaltname?.replaceAll(/(DNS|IP Address):/g, '') ?? nameOf(peer.subject),
    issuer: nameOf(peer.issuer),
    notBefore: Date.parse(peer.valid_from),
    notAfter: Date.parse(peer.valid_to),
  };
  const anchor = refused ? 'unknown' : anchorOf(last.fingerprint256, tenantRoots);
  return { refused, certificate, authority, anchor, tenantKnown: tenantRoots.length > 0 };
}

/** Returns the last certificate of the chain; a self-signed certificate is its own issuer. */
function lastInChain(peer: DetailedPeerCertificate): DetailedPeerCertificate {
  let last = peer;
  for (let depth = 0; depth < 10; depth += 1) {
    const next = last.issuerCertificate;
    if (!next?.fingerprint256 || next.fingerprint256 === last.fingerprint256) break;
    last = next;
  }
  return last;
}

type Name = DetailedPeerCertificate['subject'];

const nameOf = (name: Name | undefined): string =>
  oneLine([name?.CN ?? name?.O ?? name?.OU ?? 'without a name'].flat().join(' ')).slice(0, 100);

const fingerprintsOf = (pems: readonly string[]): string[] =>
  pems.map((pem) => new X509Certificate(pem).fingerprint256);

function anchorOf(fingerprint: string, tenantRoots: readonly string[]): Anchor {
  if (fingerprintsOf(tenantRoots).includes(fingerprint)) return 'tenant';
  return fingerprintsOf(getCACertificates('bundled')).includes(fingerprint) ? 'public' : 'system';
}

/** Requests without a client certificate; a control plane then requires one. */
function tryRequest({ apiUrl, timeoutMs }: ProbeTarget): Promise<ControlPlaneFacts['response']> {
  const url = `${apiUrl.replace(/\/+$/, '')}${deviceRoutes.getConfig.path}`;
  return new Promise((settle) => {
    const clientRequest = request(url, {
      agent: false,
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    clientRequest.on('timeout', () => clientRequest.destroy(timedOut()));
    clientRequest.on('error', (error) => settle({ error: codeOf(error) }));
    clientRequest.on('response', (response) => {
      const date = Date.parse(response.headers.date ?? '');
      const skew = Number.isNaN(date) ? null : Date.now() - date;
      const observed = { status: response.statusCode ?? 0, skew };
      json(response).then(
        (body) => settle({ ...observed, ...codedMessage(body) }),
        () => settle({ ...observed, isCoded: false, message: '' }),
      );
    });
    clientRequest.end();
  });
}

/** Returns whether this is an error body of a control plane: `{"error": {"code", "message"}}`. */
export function codedMessage(body: unknown): { isCoded: boolean; message: string } {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  const isCoded = typeof error?.code === 'string' && typeof error.message === 'string';
  return { isCoded, message: isCoded ? oneLine(String(error.message)) : '' };
}
