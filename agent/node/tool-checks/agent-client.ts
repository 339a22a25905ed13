import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AgentConfig } from '#agent/config.ts';
import { TOOL_SOCKET_NAME } from '#domain/coding-agents/tool-socket.ts';
import { serviceRunFolder } from '../state/service-folders.ts';

export interface AgentResponse {
  status: number;
  body: string;
}

/** Sends a request to the agent at this socket. Resolves to null if no agent responds in time. */
export const requestFromAgent = (
  socketPath: string,
  path: string,
  body: string | Buffer,
  timeoutMs: number,
): Promise<AgentResponse | null> =>
  new Promise((resolve) => {
    const outgoing = request(
      {
        socketPath,
        path,
        method: 'POST',
        headers: { 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (response) => {
        text(response).then(
          (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
          () => resolve(null),
        );
      },
    );
    outgoing.on('error', () => resolve(null));
    outgoing.end(body);
  });

/** Returns the socket of the user's own agent, else of the computer's. */
export function findToolSocket({ toolSocket, bundleId }: AgentConfig): string {
  const shared = join(serviceRunFolder(bundleId), TOOL_SOCKET_NAME);
  return !existsSync(toolSocket) && existsSync(shared) ? shared : toolSocket;
}
