import { Agent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { createSecureContext } from 'node:tls';
import { WebSocket } from 'ws';
import type { Client } from '#contract/client.ts';
import { createClient } from '#contract/client.ts';
import { deviceRoutes } from '#contract/device-protocol.ts';
import { createHttpsFetch } from './https-fetch.ts';
import { withEtagCache } from './etag-cache.ts';

export interface ControlPlaneClientOptions {
  /** The address of the API. It must be https, because only TLS carries a device's certificate. */
  apiUrl: string;
  /** PEM */
  roots: readonly string[];
  identity?: { certificatePem: string; privateKeyPem: string };
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** Called with the size of each request body that was sent and answered. */
  onSent?: (bytes: number) => void;
}

export interface ControlPlaneClient {
  /** The origin as shown to people, like https://host:port. */
  origin: string;
  device: Client<{ device: typeof deviceRoutes }>['device'];
  openWebSocket(path: string): WebSocket;
  /** Lets pending requests finish, then closes the idle connections. */
  close(): void;
}

/**
 * Creates a client of the control plane, which authenticates as a device if an identity is given.
 */
export function createControlPlaneClient(options: ControlPlaneClientOptions): ControlPlaneClient {
  const { apiUrl, roots, identity, headers = {}, timeoutMs = 30_000 } = options;
  const secureContext = createSecureContext({
    ca: [...roots],
    minVersion: 'TLSv1.2',
    ...(identity && { cert: identity.certificatePem, key: identity.privateKeyPem }),
  });
  // A control plane or a proxy in front of it may drop idle connections after a minute. ws passes
  // its options to tls.connect, which accepts a secure context; the types of ws lack it.
  const webSocketTls: ConnectionOptions = { secureContext };
  const agent = new Agent({ keepAlive: true, maxSockets: 4, timeout: 50_000, secureContext });
  const send = withEtagCache(createHttpsFetch({ agent, timeoutMs, maxBytes: 8 * 1024 * 1024 }));
  const connections = { requests: 0, closed: false };

  const client = createClient(
    { device: deviceRoutes },
    {
      baseUrl: apiUrl,
      headers: () => headers,
      fetch: async (url, init) => {
        connections.requests += 1;
        try {
          const response = await send(url, init);
          if (typeof init.body === 'string') options.onSent?.(Buffer.byteLength(init.body));
          return response;
        } finally {
          connections.requests -= 1;
          if (connections.closed && connections.requests === 0) agent.destroy();
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
      connections.closed = true;
      if (connections.requests === 0) agent.destroy();
    },
  };
}

/** Returns https://host:port, always with the port. */
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
