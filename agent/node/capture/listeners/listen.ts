import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

/**
 * Starts listening, and returns whether that succeeded. Later errors are reported too: when file
 * descriptors run out, a server without an error handler would end the process.
 */
export async function startListening(
  server: Server,
  listenOptions: ListenOptions,
  onError: (error: Error) => void,
): Promise<boolean> {
  try {
    await once(server.listen(listenOptions), 'listening');
    server.on('error', onError);
    return true;
  } catch (error) {
    onError(error as Error);
    return false;
  }
}

/** Accepts no more connections; open ones stay open. */
export async function stopListening(server: Server): Promise<void> {
  // Connections that are already pending are accepted first.
  await new Promise((resolve) => setImmediate(resolve));
  server.close();
}
