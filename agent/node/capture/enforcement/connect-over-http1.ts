import type { ClientHello } from '#agent/core/client-hello.ts';
import { type Upstream, UpstreamRefused } from '../upstream.ts';

/**
 * Connects over HTTP/1.1, where a call can be held without changing a byte of any other, or over HTTP/2
 * if client or server speak nothing else.
 */
export async function connectOverHttp1(
  hello: ClientHello,
  connect: (hello: ClientHello) => Promise<Upstream>,
): Promise<Upstream> {
  const { protocols } = hello;
  if (!protocols.includes('http/1.1')) return connect(hello);
  try {
    return await connect({ ...hello, protocols: ['http/1.1'] });
  } catch (error) {
    const mayWork = error instanceof UpstreamRefused && error.wantsOtherProtocol;
    if (!mayWork || protocols.length === 1) throw error;
    return connect(hello);
  }
}
