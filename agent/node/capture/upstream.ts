import { lookup } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { ClientHello } from '#agent/core/client-hello.ts';
import { isLocalAddress } from '#agent/core/capture/doors/ip-bytes.ts';
import type { Destination } from './doors/door.ts';
import { errnoOf } from '../atomic-file.ts';
import { watchCertificateRequest } from './certificate-request.ts';

export interface Upstream {
  socket: Socket;
  stream: TLSSocket;
  /** What the server chose of the client's protocols; null for none. */
  protocol: 'h2' | 'http/1.1' | null;
  /** In TLS 1.3 a server refuses a client without certificate after the client's handshake. */
  wantedCertificate: () => boolean;
}

/** Why TLS with the server cannot be terminated here; the connection is then passed through. */
export class UpstreamRefused extends Error {
  /** Does the server want a certificate of the client, which only the client has? */
  readonly wantsClientCertificate: boolean;
  /** Does the server speak none of the protocols that it was offered (RFC 7301, 3.2)? */
  readonly wantsOtherProtocol: boolean;

  constructor(cause: Error, wantsClientCertificate = wantsCertificate(cause)) {
    super(cause.message, { cause });
    this.wantsOtherProtocol = errnoOf(cause)?.endsWith('ALERT_NO_APPLICATION_PROTOCOL') ?? false;
    this.wantsClientCertificate = wantsClientCertificate;
  }
}

/** The protocols whose bytes the observers understand. */
const known = ['h2', 'http/1.1'];

/** Does the client speak what we understand? One that offers nothing speaks HTTP/1.1. */
const understands = ({ protocols }: ClientHello): boolean =>
  protocols.length === 0 || protocols.some((protocol) => known.includes(protocol));

/** Can TLS with this client be terminated: with a certificate like ours, for bytes that are understood? */
export const isTerminable = (hello: ClientHello): boolean =>
  hello.verifiesP256 && understands(hello);

/** Longer than any server takes; a client would wait for as long as the system does, or has gone. */
const CONNECT_MS = 15_000;
const HANDSHAKE_MS = 15_000;
const OTHER_ADDRESS_MS = 1_000;
/** As long as the connections of many middleboxes live is two minutes and more. */
const KEEP_ALIVE_MS = 30_000;

export interface ConnectOptions {
  /** Nothing is to be connected any more. */
  signal: AbortSignal;
  /** Of names. */
  lookup?: LookupFunction;
}

/** Rejects when it takes too long. */
export function connectTo(
  { host, port }: Destination,
  { signal, lookup: resolveName = lookupElsewhere }: ConnectOptions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      host,
      port,
      allowHalfOpen: true,
      noDelay: true,
      // A client's own probes end at the agent.
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      lookup: resolveName,
    });
    const giveUp = (): void => void socket.destroy(new Error(`${host} does not answer`));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
    socket.once('connect', () => {
      limit.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    // It stays: an error is followed by a close, which is what others wait for.
    socket.on('error', reject);
    if (limit.aborted) giveUp();
    else limit.addEventListener('abort', giveUp, { once: true });
  });
}

/**
 * A client tries other addresses of a host when one does not answer; one that came through a door
 * believes that it did. So they are tried here.
 */
async function connectToHost(
  destination: Destination,
  host: string,
  options: ConnectOptions,
): Promise<Socket> {
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const first = connectTo(destination, { ...options, signal });
  const early = first.catch(() => undefined);
  const late = pause(OTHER_ADDRESS_MS, undefined, { ref: false, signal }).catch(() => undefined);
  const soon = await Promise.race([early, late]);
  if (soon) return soon;
  const attempts = [first, connectTo({ ...destination, host }, { ...options, signal })];
  const socket = await Promise.any(attempts);
  over.abort();
  for (const attempt of attempts)
    void attempt.then(
      (one) => one === socket || one.destroy(),
      () => undefined,
    );
  return socket;
}

/**
 * Connects as the client would, with its name and protocols, and verifies the server as strictly as a
 * browser. Rejects with `UpstreamRefused` where that fails.
 */
export async function connectUpstream(
  destination: Destination,
  host: string,
  hello: ClientHello,
  options: ConnectOptions & { secureContext: SecureContext },
): Promise<Upstream> {
  const socket = await connectToHost(destination, host, options);
  const offered = hello.protocols.filter((protocol) => known.includes(protocol));
  const limit = AbortSignal.any([options.signal, AbortSignal.timeout(HANDSHAKE_MS)]);
  return new Promise((resolve, reject) => {
    const stream = connectTls({
      socket,
      servername: host,
      secureContext: options.secureContext,
      ...(offered.length > 0 && { ALPNProtocols: offered }),
    });
    const giveUp = (): void => {
      reject(new Error(`${host} does not answer`));
      socket.destroy();
    };
    const refuse = (error: Error, wantsClientCertificate?: boolean): void => {
      socket.destroy();
      reject(new UpstreamRefused(error, wantsClientCertificate));
    };
    const closed = (): void => refuse(new Error('the server closed the connection'));
    stream.on('error', refuse).on('close', closed);
    limit.addEventListener('abort', giveUp, { once: true });
    const isAsked = watchCertificateRequest(stream, socket);
    const secured = (): void => {
      if (isAsked()) return refuse(new Error('the server requests a client certificate'), true);
      let wanted = false;
      stream.on('error', (error) => (wanted ||= wantsCertificate(error)));
      stream.off('error', refuse).off('close', closed);
      limit.removeEventListener('abort', giveUp);
      const chosen = stream.alpnProtocol;
      resolve({
        socket,
        stream,
        protocol: chosen === 'h2' || chosen === 'http/1.1' ? chosen : null,
        wantedCertificate: () => wanted,
      });
    };
    stream.once('secureConnect', () => setImmediate(secured));
  });
}

export const upstreamContext = (roots: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' });

/** TLS 1.3 has an alert of its own for this (RFC 8446, 6.2); in TLS 1.2 the handshake just fails. */
const wantsCertificate = (error: Error): boolean =>
  /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE)$/.test(errnoOf(error) ?? '');

/** A name that a client gave must not lead to this machine: its local services are not for everybody. */
export const lookupElsewhere: LookupFunction = (name, options, done) =>
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const elsewhere = found.filter(({ address }) => !isLocalAddress(address));
    if (elsewhere.length === 0) return done(new Error(`${name} leads to this machine`), []);
    const [first] = elsewhere;
    if (options.all || !first) done(null, elsewhere);
    else done(null, first.address, first.family);
  });
