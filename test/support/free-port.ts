import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port that was free a moment ago, below those that systems give to outgoing connections and to
 * servers that ask for any: so only another call of this function could take it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
