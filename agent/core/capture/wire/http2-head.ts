import type { Headers } from './exchange.ts';
import type { RequestHead } from './pending-exchanges.ts';
import { hostsOfRequest, valuesOf } from './headers.ts';

/** The request of a header block (RFC 9113, 8.3.1). */
export function requestHead(block: Headers): RequestHead {
  const method = valueOf(block, ':method') ?? '';
  if (!/^[^\s\0]{1,40}$/.test(method)) throw new Error('a request without a method');
  const own = valueOf(block, ':authority') || null;
  const authority = own ?? (valueOf(block, 'host') || null);
  // CONNECT has an authority and no path (RFC 9113, 8.5).
  const target = valueOf(block, ':path') ?? authority ?? '';
  const isAmbiguous = hostsOfRequest(own, block).length > 1;
  return { protocol: 'h2', method, target, authority: isAmbiguous ? '' : authority };
}

/** Returns the request's headers, without pseudo headers. */
export function requestHeaders(block: Headers): Headers {
  return withoutPseudo(joinCookies(block));
}

/** Returns whether a header block is an extended CONNECT for a WebSocket (RFC 8441, 4). */
export function isWebSocketRequest(block: Headers): boolean {
  return (
    valueOf(block, ':method') === 'CONNECT' &&
    valueOf(block, ':protocol')?.toLowerCase() === 'websocket'
  );
}

export function statusOf(block: Headers): number {
  const status = valueOf(block, ':status') ?? '';
  if (!/^[1-9]\d\d$/.test(status)) throw new Error('an answer without a status');
  return Number(status);
}

export function withoutPseudo(block: Headers): Headers {
  return block.filter(([name]) => !name.startsWith(':'));
}

/** Rejoins a cookie header, which may be split for better compression (RFC 9113, 8.2.3). */
function joinCookies(block: Headers): Headers {
  const cookies = valuesOf(block, 'cookie');
  if (cookies.length < 2) return block;
  const at = block.findIndex(([name]) => name === 'cookie');
  return block.flatMap(([name, value], i) => {
    if (name !== 'cookie') return [[name, value] as const];
    return i === at ? [[name, cookies.join('; ')] as const] : [];
  });
}

function valueOf(block: Headers, name: string): string | undefined {
  return block.find((field) => field[0] === name)?.[1];
}
