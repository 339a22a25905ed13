import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

export interface UpstreamContextOptions {
  /** Returns the roots that a browser on this machine trusts, as PEM. */
  systemRoots: () => readonly string[];
  /** Returns the current roots of the tenant, as PEM. */
  tenantRoots: () => readonly string[];
}

/**
 * Returns a function for the context that verifies servers. It trusts the roots of the system except
 * those of the tenant, which the profile or the agent has installed there: they sign for devices
 * only, and another device must not be able to act as a server.
 *
 * The roots of the system are read when the first context is needed.
 */
export function createUpstreamContexts(options: UpstreamContextOptions): () => SecureContext {
  let current: { tenantRoots: string; context: SecureContext } | undefined;
  return () => {
    const tenantRoots = options.tenantRoots();
    const key = tenantRoots.join('\n');
    if (current?.tenantRoots !== key) {
      const excluded = new Set(tenantRoots.map(fingerprintOf));
      const roots = options.systemRoots().filter((root) => !excluded.has(fingerprintOf(root)));
      current = { tenantRoots: key, context: upstreamContext(roots) };
    }
    return current.context;
  };
}

const fingerprintOf = (pem: string): string => new X509Certificate(pem).fingerprint256;

const upstreamContext = (roots: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...roots], minVersion: 'TLSv1.2' });
