import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

/**
 * Returns whether it listens now. Later errors are reported too: when descriptors run out, a server
 * without an error handler would end the process.
 */
export async function startListening(
  server: Server,
  where: ListenOptions,
  onError: (error: Error) => void,
): Promise<boolean> {
  try {
    await once(server.listen(where), 'listening');
    server.on('error', onError);
    return true;
  } catch (error) {
    onError(error as Error);
    return false;
  }
}

/** Takes no more connections; those there are live on. */
export async function stopListening(server: Server): Promise<void> {
  // What connected until now is accepted before.
  await new Promise((resolve) => setImmediate(resolve));
  server.close();
}
