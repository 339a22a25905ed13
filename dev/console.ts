import { join } from 'node:path';
import { createLogger, createServer, type Logger, type ViteDevServer } from 'vite';
import type { DevConfig } from './config.ts';

/** Paths that the control plane serves; all others are pages of the console. */
const proxied = [
  '/api/',
  '/svc/',
  '/openapi.json',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
  '/sdk/',
];

/** The production policy plus what Vite adds to a page: inline scripts and styles, a WebSocket. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self' ws:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** Serves the console from its sources with hot reload, and proxies the rest to the control plane. */
export async function serveConsole(
  { controlPlane, consolePort }: DevConfig,
  print: (line: string) => void,
): Promise<ViteDevServer> {
  const target = `http://localhost:${controlPlane.port}`;
  const server = await createServer({
    configFile: join(import.meta.dirname, '../control-plane/console/vite.config.ts'),
    configLoader: 'native',
    cacheDir: join(import.meta.dirname, '..', 'node_modules/.cache/vite-dev'),
    clearScreen: false,
    customLogger: logger(print),
    server: {
      host: controlPlane.host,
      port: consolePort,
      strictPort: true,
      headers: { 'Content-Security-Policy': contentSecurityPolicy },
      proxy: Object.fromEntries(proxied.map((path) => [path, { target, ws: true }])),
    },
  });
  return await server.listen();
}

/** One line for each message, without the stacks and blank lines of Vite's own logger. */
function logger(print: (line: string) => void): Logger {
  const say = (message: string): void =>
    print(
      message
        .replace(/\n\s+at .*/s, '')
        .trim()
        .replace(/\s+/g, ' '),
    );
  return { ...createLogger('info'), info: say, warn: say, warnOnce: say, error: say };
}
