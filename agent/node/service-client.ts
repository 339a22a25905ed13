import { Agent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { WebSocket } from 'ws';
import type { Client } from '#contract/client.ts';
import { createClient } from '#contract/client.ts';
import { deviceRoutes } from '#contract/device.ts';
import { createHttpsFetch } from './https-fetch.ts';
import { rememberingFetch } from './remembering-fetch.ts';

export interface ServiceClientOptions {
  /** The API's address; https, as only TLS carries a device's certificate. */
  apiUrl: string;
  /** PEM */
  roots: readonly string[];
  identity?: { certificatePem: string; privateKeyPem: string };
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** So many bytes of a request's body were sent and answered. */
  onSent?: (bytes: number) => void;
}

export interface ServiceClient {
  /** https://host:port as shown to people */
  origin: string;
  device: Client<{ device: typeof deviceRoutes }>['device'];
  openWebSocket(path: string): WebSocket;
  /** Lets requests under way finish, then closes the kept connections. */
  close(): void;
}

/** Speaks to the control plane, as a device where an identity is given. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { apiUrl, roots, identity, headers = {}, timeoutMs = 30_000 } = options;
  const secureContext = createSecureContext({
    ca: [...roots],
    minVersion: 'TLSv1.2',
    ...(identity && { cert: identity.certificatePem, key: identity.privateKeyPem }),
  });
  // A control plane or a proxy before it may forget idle connections after a minute.
  // ws hands its options to tls.connect, which takes a context; its types leave that out.
  const webSocketTls: ConnectionOptions = { secureContext };
  const agent = new Agent({ keepAlive: true, maxSockets: 4, timeout: 50_000, secureContext });
  const send = rememberingFetch(createHttpsFetch({ agent, timeoutMs, maxBytes: 8 * 1024 * 1024 }));
  const open = { requests: 0, closed: false };

  const client = createClient(
    { device: deviceRoutes },
    {
      baseUrl: apiUrl,
      headers: () => headers,
      fetch: async (url, init) => {
        open.requests += 1;
        try {
          const answer = await send(url, init);
          if (typeof init.body === 'string') options.onSent?.(Buffer.byteLength(init.body));
          return answer;
        } finally {
          open.requests -= 1;
          if (open.closed && open.requests === 0) agent.destroy();
        }
      },
    },
  );
  return {
    origin: originOf(apiUrl),
    device: client.device,
    openWebSocket: (path) =>
      new WebSocket(webSocketUrl(apiUrl, path), {
        ...webSocketTls,
        handshakeTimeout: timeoutMs,
        maxPayload: 1024 * 1024,
        headers,
      }),
    close: () => {
      open.closed = true;
      if (open.requests === 0) agent.destroy();
    },
  };
}

/** https://host:port, the port always named. */
export function originOf(apiUrl: string): string {
  const { protocol, hostname, port } = new URL(apiUrl);
  return `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function webSocketUrl(apiUrl: string, path: string): URL {
  const url = new URL(apiUrl);
  url.protocol = url.protocol.replace('http', 'ws');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url;
}
