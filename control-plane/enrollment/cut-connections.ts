import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { deniesAccess } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { keyBatchQueue } from '../lib/batch-queue.ts';
import { readDeviceUri } from '#pki/device-uri.ts';
import { callerOfCertificate } from '../devices/caller.ts';

interface DeviceSocket {
  deviceId: string;
  /** Requests that are being answered. */
  busy: number;
  /** To be closed once they are answered. */
  ended: boolean;
}

/** However many revocations are told of, certificates are looked up no more often than this. */
const REST_MS = 200;

/**
 * Closes the kept connections of a device whose certificate counts no longer; those of a proxy, which
 * carry many devices, stay. Each request asks again in any case; without this a device that was
 * revoked would only learn of it with its next one. What is being answered is answered first: it may
 * be the new enrollment itself.
 */
export function cutRevoked(server: Server, context: Context): () => void {
  const lines = new Map<TLSSocket, DeviceSocket>();
  const close = (socket: TLSSocket, line: DeviceSocket): void => {
    line.ended = true;
    if (line.busy === 0) socket.destroy();
  };
  server.on('secureConnection', (socket: TLSSocket) => {
    const deviceId = deviceOf(socket);
    if (deviceId === null) return;
    lines.set(socket, { deviceId, busy: 0, ended: false });
    socket.on('close', () => lines.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const line = lines.get(request.socket as TLSSocket);
    if (!line) return;
    line.busy += 1;
    response.on('close', () => {
      line.busy -= 1;
      if (line.ended && line.busy === 0) request.socket.destroy();
    });
  });
  // A channel is told why it is closed, by whoever serves it.
  server.on('upgrade', (request: IncomingMessage) => lines.delete(request.socket as TLSSocket));

  const check = async (socket: TLSSocket, line: DeviceSocket): Promise<void> => {
    try {
      await callerOfCertificate(context, { socket, headers: {} });
    } catch (error) {
      // A database that is away says nothing about the certificate.
      if (deniesAccess(error)) close(socket, line);
    }
  };
  const revocations = keyBatchQueue<string>({
    ms: 0,
    restMs: REST_MS,
    work: (deviceIds) => {
      const told = new Set(deviceIds);
      const theirs = [...lines].filter(([, { deviceId }]) => told.has(deviceId));
      return Promise.all(theirs.map(([socket, line]) => check(socket, line)));
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

/** What the certificate says: enough to find the connection, not to trust it. */
function deviceOf(socket: TLSSocket): string | null {
  const { subjectaltname = '' } = socket.getPeerCertificate();
  return readDeviceUri(subjectaltname.replace(/^URI:/, ''));
}
