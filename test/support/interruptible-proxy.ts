import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that forwards to a service and can be interrupted. */
export interface InterruptibleProxy {
  port: number;
  /** Ends all connections and refuses new ones. */
  interrupt(): Promise<void>;
  /** Forwards to the service again, on the same port. */
  restore(): Promise<void>;
}

export async function startInterruptibleProxy(to: URL): Promise<InterruptibleProxy> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    const far = track(connect({ host: to.hostname, port: Number(to.port) }));
    track(near).pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listen = async (port: number): Promise<void> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async interrupt() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
  };
}
