import type { IncomingMessage } from 'node:http';

/** Whether a client takes responses in this encoding (RFC 9110, 12.5.3). */
export const acceptsEncoding = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  encoding: 'br' | 'gzip',
): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some((candidate) => {
    const [name, ...parameters] = candidate.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });
