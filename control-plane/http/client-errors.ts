import { maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '#contract/errors.ts';
import { endWithRefusal } from './reject-socket.ts';

type ClientError = Error & { code?: string; rawPacket?: Buffer };

/**
 * Says what is wrong with requests that cannot be read, where Node would close without a word. What
 * does not tell its path is taken for one under `usual`.
 */
export function answerClientErrors(server: Pick<Server, 'on'>, usual: string): void {
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    // The rest of what was refused still comes in.
    if (socket.writableEnded) return;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy(error);
      return;
    }
    const { status, message } = refusalOf(error);
    endWithRefusal(socket, pathIn(error) ?? usual, new ApiError('bad_request', message), status);
  });
}

/** What is written now would stand in the middle of an answer. Node looks at the same. */
const isAnswering = (socket: Duplex & { _httpMessage?: ServerResponse }): boolean =>
  socket._httpMessage?.headersSent === true;

function refusalOf({ code, message }: ClientError): { status: number; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      status: 431,
      message: `the address and the headers are too long: expected at most ${maxHeaderSize} bytes`,
    };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, message: 'the request did not arrive in time' };
  const why = message.replace(/^Parse Error: /, '');
  return { status: 400, message: `the request is not well-formed HTTP: ${why}` };
}

/** As far as it came; by it errors have their shape. */
const pathIn = ({ rawPacket }: ClientError): string | undefined =>
  /^[A-Z]+ (\/\S*)/.exec(rawPacket?.toString('latin1') ?? '')?.[1];
