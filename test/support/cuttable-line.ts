import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that forwards to a service and can be interrupted. */
export interface CuttableLine {
  port: number;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Forwards to the service again, on the same port. */
  mend(): Promise<void>;
}

export async function openCuttableLine(to: URL): Promise<CuttableLine> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    const far = keep(connect({ host: to.hostname, port: Number(to.port) }));
    keep(near).pipe(far).pipe(near);
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
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: () => listen(port),
  };
}
