import { lookup } from 'node:dns';
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

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.wantsOtherProtocol = errnoOf(cause)?.endsWith('ALERT_NO_APPLICATION_PROTOCOL') ?? false;
    this.wantsClientCertificate = wantsCertificate(cause);
  }
}

/** The protocols whose bytes the observers understand. */
const known = ['h2', 'http/1.1'];

/** Does the client speak what we understand? One that offers nothing speaks HTTP/1.1. */
export const understands = ({ protocols }: ClientHello): boolean =>
  protocols.length === 0 || protocols.some((protocol) => known.includes(protocol));

export function connectTo({ host, port }: Destination): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      host,
      port,
      allowHalfOpen: true,
      noDelay: true,
      lookup: lookupElsewhere,
    });
    socket.once('connect', () => {
      resolve(socket);
    });
    // It stays: an error is followed by a close, which is what others wait for.
    socket.on('error', reject);
  });
}

/**
 * Connects as the client would, with its name and protocols, and verifies the server as strictly as a
 * browser. Rejects with `UpstreamRefused` where that fails.
 */
export async function connectUpstream(
  destination: Destination,
  host: string,
  hello: ClientHello,
  secureContext: SecureContext,
): Promise<Upstream> {
  const socket = await connectTo(destination);
  const offered = hello.protocols.filter((protocol) => known.includes(protocol));
  return new Promise((resolve, reject) => {
    const stream = connectTls({
      socket,
      servername: host,
      secureContext,
      ...(offered.length > 0 && { ALPNProtocols: offered }),
    });
    const refuse = (error: Error): void => {
      socket.destroy();
      reject(new UpstreamRefused(error));
    };
    const closed = (): void => refuse(new Error('the server closed the connection'));
    stream.on('error', refuse).on('close', closed);
    stream.once('secureConnect', () => {
      let wanted = false;
      stream.on('error', (error) => (wanted ||= wantsCertificate(error)));
      stream.off('error', refuse).off('close', closed);
      const chosen = stream.alpnProtocol;
      resolve({
        socket,
        stream,
        protocol: chosen === 'h2' || chosen === 'http/1.1' ? chosen : null,
        wantedCertificate: () => wanted,
      });
    });
  });
}

export const upstreamContext = (roots: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' });

/** TLS 1.3 has an alert of its own for this (RFC 8446, 6.2); in TLS 1.2 the handshake just fails. */
const wantsCertificate = (error: Error): boolean =>
  /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE)$/.test(errnoOf(error) ?? '');

/** A name that a client gave must not lead to this machine: its local services are not for everybody. */
const lookupElsewhere: LookupFunction = (name, options, done) =>
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const elsewhere = found.filter(({ address }) => !isLocalAddress(address));
    if (elsewhere.length === 0) return done(new Error(`${name} leads to this machine`), []);
    const [first] = elsewhere;
    if (options.all || !first) done(null, elsewhere);
    else done(null, first.address, first.family);
  });
