import type { ClientHello } from '#agent/core/client-hello.ts';
import { type Upstream, UpstreamRefused } from '../upstream.ts';

export interface GatedUpstream extends Upstream {
  /** The protocol is HTTP/1.1: requests can be held. */
  isGated: boolean;
}

/**
 * Connects over HTTP/1.1 alone: a header block of HTTP/2 that is held back would leave client and server
 * with different tables (RFC 7541, 2.2). Where one of them speaks HTTP/2 only, they speak that, and
 * nothing is held.
 */
export async function connectGated(
  hello: ClientHello,
  connect: (hello: ClientHello) => Promise<Upstream>,
): Promise<GatedUpstream> {
  const { protocols } = hello;
  if (protocols.length === 0) return { ...(await connect(hello)), isGated: true };
  if (protocols.includes('http/1.1'))
    try {
      return { ...(await connect({ ...hello, protocols: ['http/1.1'] })), isGated: true };
    } catch (error) {
      const mayWork = error instanceof UpstreamRefused && error.wantsOtherProtocol;
      if (!mayWork || protocols.length === 1) throw error;
    }

  const upstream = await connect(hello);
  return { ...upstream, isGated: upstream.protocol !== 'h2' };
}
