import { maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '#contract/errors.ts';
import { endWithRefusal } from './reject-socket.ts';

type ClientError = Error & { code?: string; rawPacket?: Buffer };

/**
 * Responds with an error to malformed requests, for which Node would close the connection silently.
 * If the path is unknown, `usual` determines the error format.
 */
export function handleClientErrors(server: Pick<Server, 'on'>, usual: string): void {
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    // The rest of the rejected request is still arriving.
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy(error);
      return;
    }
    endWithRefusal(socket, pathIn(error) ?? usual, refusalOf(error));
  });
}

/**
 * Whether a response is being sent, into which data written now would be inserted. Node performs
 * the same check.
 */
const isAnswering = (socket: Duplex & { _httpMessage?: ServerResponse }): boolean =>
  socket._httpMessage?.headersSent === true;

function refusalOf({ code, message }: ClientError): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(
      'headers_too_large',
      `the URL and headers are too long: expected at most ${maxHeaderSize} bytes`,
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'the request did not arrive in time');
  const why = message.replace(/^Parse Error: /, '');
  return new ApiError('malformed_request', `malformed HTTP request: ${why}`);
}

/** Returns the path as far as it was received, which determines the error format. */
const pathIn = ({ rawPacket }: ClientError): string | undefined =>
  /^[A-Z]+ (\/\S*)/.exec(rawPacket?.toString('latin1') ?? '')?.[1];
