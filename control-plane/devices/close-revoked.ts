import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { deniesAccess } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { CertificateRequest } from '../http/client-certificate.ts';
import { keyBatchQueue } from '../lib/batch-queue.ts';
import { readDeviceUri } from '#pki/device-uri.ts';

interface DeviceSocket {
  deviceId: string;
  /** The number of requests in progress. */
  busy: number;
  /** Whether to close it when they are answered. */
  ended: boolean;
}

/** The minimum interval between certificate checks, however many revocations are signaled. */
const MIN_GAP_MS = 200;

/**
 * Closes kept connections of devices whose certificate is no longer valid. Connections of proxies,
 * which carry many devices, stay open. Each request is checked anyway, but without this a revoked
 * device would notice only with its next request. Requests in progress are answered first, because
 * one may be the new enrollment itself.
 */
export function closeRevoked(
  server: Server,
  context: Context,
  check: (request: CertificateRequest) => Promise<unknown>,
): () => void {
  const connections = new Map<TLSSocket, DeviceSocket>();
  const close = (socket: TLSSocket, connection: DeviceSocket): void => {
    connection.ended = true;
    if (connection.busy === 0) socket.destroy();
  };
  server.on('secureConnection', (socket: TLSSocket) => {
    const deviceId = deviceOf(socket);
    if (deviceId === null) return;
    connections.set(socket, { deviceId, busy: 0, ended: false });
    socket.on('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket as TLSSocket);
    if (!connection) return;
    connection.busy += 1;
    response.on('close', () => {
      connection.busy -= 1;
      if (connection.ended && connection.busy === 0) request.socket.destroy();
    });
  });
  // Channels are closed, with a reason, by the code that serves them.
  server.on('upgrade', (request: IncomingMessage) =>
    connections.delete(request.socket as TLSSocket),
  );

  const recheck = async (socket: TLSSocket, connection: DeviceSocket): Promise<void> => {
    try {
      await check({ socket, headers: {} });
    } catch (error) {
      // An unavailable database does not mean that the certificate is invalid.
      if (deniesAccess(error)) close(socket, connection);
    }
  };
  const revocations = keyBatchQueue<string>({
    ms: 0,
    minGapMs: MIN_GAP_MS,
    work: (deviceIds) => {
      const signaled = new Set(deviceIds);
      const theirs = [...connections].filter(([, { deviceId }]) => signaled.has(deviceId));
      return Promise.all(theirs.map(([socket, connection]) => recheck(socket, connection)));
    },
    onError: (err) => context.log.warn({ err }, 'connections of revoked devices'),
  });
  const unsubscribe = context.storage.signals.subscribe(({ topic, device_id }) => {
    if (topic === 'identities' && device_id !== undefined) revocations.add(device_id);
  });
  return () => {
    unsubscribe();
    void revocations.stop();
  };
}

/**
 * Returns the device id in the certificate, which is enough to find the connection, but not to
 * trust it.
 */
function deviceOf(socket: TLSSocket): string | null {
  const { subjectaltname = '' } = socket.getPeerCertificate();
  return readDeviceUri(subjectaltname.replace(/^URI:/, ''));
}
