import { lookup } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import {
  checkServerIdentity as checkNames,
  connect as connectTls,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { ClientHello } from '#agent/core/client-hello.ts';
import { isLocalAddress } from '#agent/core/capture/listeners/ip-bytes.ts';
import type { Destination } from './listeners/capture-listener.ts';
import { errnoOf } from '../state/atomic-file.ts';
import { watchCertificateRequest } from './certificate-request.ts';

export interface Upstream {
  socket: Socket;
  stream: TLSSocket;
  /** The protocol that the server chose from the client's list; null if it chose none. */
  protocol: 'h2' | 'http/1.1' | null;
  /**
   * Returns whether the server wants a client certificate. In TLS 1.3 a server refuses a client
   * without one only after the client's handshake.
   */
  hasRequestedCertificate: () => boolean;
}

/**
 * The reason why TLS with the server cannot be terminated here; the connection is then passed
 * through.
 */
export class UpstreamRefused extends Error {
  /** Whether the server seems to want a client certificate, which only the client has. */
  readonly wantsClientCertificate: boolean;
  /** Whether the server supports none of the offered protocols (RFC 7301, 3.2). */
  readonly wantsOtherProtocol: boolean;

  constructor(cause: Error, wantsClientCertificate = isCertificateRequired(cause)) {
    const isAlert = wantsClientCertificate && cause.message !== REQUESTS_CERTIFICATE;
    super(isAlert ? MAY_WANT_CERTIFICATE : cause.message, { cause });
    this.wantsOtherProtocol = errnoOf(cause)?.endsWith('ALERT_NO_APPLICATION_PROTOCOL') ?? false;
    this.wantsClientCertificate = wantsClientCertificate;
  }
}

/** The host accepts no connection, so that a second attempt would only keep the client waiting. */
export class ConnectTimeout extends Error {
  constructor(host: string) {
    super(`${host} does not answer`);
  }
}

/** The protocols whose bytes the observers understand. */
const supportedProtocols = ['h2', 'http/1.1'];

/** Returns whether the client offers a supported protocol. A client without ALPN uses HTTP/1.1. */
const isProtocolSupported = ({ protocols }: ClientHello): boolean =>
  protocols.length === 0 || protocols.some((protocol) => supportedProtocols.includes(protocol));

/**
 * Returns whether TLS with this client can be terminated: with a P-256 certificate and a supported
 * protocol.
 */
export const isTerminable = (hello: ClientHello): boolean =>
  hello.verifiesP256 && isProtocolSupported(hello);

export const REQUESTS_CERTIFICATE = 'its server requests a client certificate';

/** The timeouts are longer than any server needs. */
const CONNECT_TIMEOUT_MS = 15_000;
const HANDSHAKE_TIMEOUT_MS = 15_000;
const FALLBACK_DELAY_MS = 1_000;
/**
 * The delay of keep-alive probes: many middleboxes drop connections that are idle for two minutes.
 */
const KEEP_ALIVE_DELAY_MS = 30_000;

/** Like browsers, and unlike Node, ignores the common name of a certificate (RFC 9525, 2). */
function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (/(?:^|, )DNS:/.test(certificate.subjectaltname ?? '')) return checkNames(host, certificate);
  return new Error('the certificate has no DNS name as a subject alternative name');
}

export interface ConnectOptions {
  /** Aborts all attempts. */
  signal: AbortSignal;
  /** Resolves host names. */
  lookup?: LookupFunction;
  /** The time after which an attempt is given up. */
  timeoutMs?: number;
}

/** Connects to the destination. Rejects if that takes too long. */
export function connectTo(
  { host, port }: Destination,
  { signal, lookup: resolveName = lookupNonLocal, timeoutMs = CONNECT_TIMEOUT_MS }: ConnectOptions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      host,
      port,
      allowHalfOpen: true,
      noDelay: true,
      // The client's own keep-alive probes end at the agent.
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS,
      lookup: resolveName,
    });
    const giveUp = (): void => void socket.destroy(new ConnectTimeout(host));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    socket.once('connect', () => {
      limit.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    // This listener stays attached: an error is followed by `close`, which callers wait for.
    socket.on('error', reject);
    if (limit.aborted) giveUp();
    else limit.addEventListener('abort', giveUp, { once: true });
  });
}

/**
 * Connects to another address of the host if the first one does not respond. A client would try
 * other addresses itself, but an intercepted client is already connected, so the agent tries them.
 */
async function connectToHost(
  destination: Destination,
  host: string,
  options: ConnectOptions,
): Promise<Socket> {
  const stopOthers = new AbortController();
  const signal = AbortSignal.any([options.signal, stopOthers.signal]);
  const first = connectTo(destination, { ...options, signal });
  const firstResult = first.catch(() => undefined);
  const delay = pause(FALLBACK_DELAY_MS, undefined, { ref: false, signal }).catch(() => undefined);
  const connected = await Promise.race([firstResult, delay]);
  if (connected) return connected;
  const attempts = [first, connectTo({ ...destination, host }, { ...options, signal })];
  // If both fail, the error of the first is the reason.
  const socket = await Promise.any(attempts).catch(() => first);
  stopOthers.abort();
  for (const attempt of attempts)
    void attempt.then(
      (one) => one === socket || one.destroy(),
      () => undefined,
    );
  return socket;
}

/**
 * Connects as the client would, with its name and protocols, and verifies the server as strictly as
 * a browser. Rejects with `UpstreamRefused` if that fails.
 */
export async function connectUpstream(
  destination: Destination,
  host: string,
  hello: ClientHello,
  options: ConnectOptions & { secureContext: SecureContext },
): Promise<Upstream> {
  const socket = await connectToHost(destination, host, options);
  const offered = hello.protocols.filter((protocol) => supportedProtocols.includes(protocol));
  const limit = AbortSignal.any([options.signal, AbortSignal.timeout(HANDSHAKE_TIMEOUT_MS)]);
  return new Promise((resolve, reject) => {
    const stream = connectTls({
      socket,
      servername: host,
      secureContext: options.secureContext,
      checkServerIdentity,
      ...(offered.length > 0 && { ALPNProtocols: offered }),
    });
    const giveUp = (): void => {
      reject(new Error(`${host} does not answer`));
      socket.destroy();
    };
    const refuse = (error: Error, requestsCertificate?: boolean): void => {
      socket.destroy();
      reject(new UpstreamRefused(error, requestsCertificate));
    };
    const closed = (): void => refuse(new Error('the server closed the connection'));
    stream.on('error', refuse).on('close', closed);
    limit.addEventListener('abort', giveUp, { once: true });
    const isCertificateRequested = watchCertificateRequest(stream, socket);
    const onSecured = (): void => {
      if (isCertificateRequested()) return refuse(new Error(REQUESTS_CERTIFICATE), true);
      let isCertificateWanted = false;
      stream.on('error', (error) => (isCertificateWanted ||= isCertificateRequired(error)));
      stream.off('error', refuse).off('close', closed);
      limit.removeEventListener('abort', giveUp);
      const chosen = stream.alpnProtocol;
      resolve({
        socket,
        stream,
        protocol: chosen === 'h2' || chosen === 'http/1.1' ? chosen : null,
        hasRequestedCertificate: () => isCertificateWanted,
      });
    };
    stream.once('secureConnect', () => setImmediate(onSecured));
  });
}

/** The server is not verified at that time. */
const MAY_WANT_CERTIFICATE =
  'its server ends the handshake, as one does that requires a client certificate';

/** TLS 1.3 has a separate alert for this (RFC 8446, 6.2); in TLS 1.2 the handshake just fails. */
const isCertificateRequired = (error: Error): boolean =>
  /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE)$/.test(errnoOf(error) ?? '');

/**
 * A lookup that fails for local addresses: a host name from a client must not resolve to this
 * machine and expose its local services.
 */
export const lookupNonLocal: LookupFunction = (name, options, done) =>
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const remoteAddresses = found.filter(({ address }) => !isLocalAddress(address));
    if (remoteAddresses.length === 0)
      return done(new Error(`${name} resolves to this machine`), []);
    const [first] = remoteAddresses;
    if (options.all || !first) done(null, remoteAddresses);
    else done(null, first.address, first.family);
  });

/**
 * Connects over HTTP/1.1, where a call can be held without changing any other bytes, or over HTTP/2
 * if client or server support nothing else.
 */
export async function connectOverHttp1(
  hello: ClientHello,
  connect: (hello: ClientHello) => Promise<Upstream>,
): Promise<Upstream> {
  const { protocols } = hello;
  if (!protocols.includes('http/1.1')) return connect(hello);
  try {
    return await connect({ ...hello, protocols: ['http/1.1'] });
  } catch (error) {
    const mayWork = error instanceof UpstreamRefused && error.wantsOtherProtocol;
    if (!mayWork || protocols.length === 1) throw error;
    return connect(hello);
  }
}
