import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Bytes of the header of commands and responses: tag (2), size (4), command or response code (4). */
const HEADER_BYTES = 10;

/** Returns a function that collects bytes and returns the complete commands or responses. */
export function createMessageReader(): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readUInt32BE(2)) {
      const size = rest.readUInt32BE(2);
      messages.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    return messages;
  };
}

/** A connection that sends one command at a time to a TPM. */
export interface TpmConnection {
  send: (command: Buffer) => Promise<Buffer>;
  /** Removes all loaded objects, as the kernel does when a program closes `/dev/tpmrm0`. */
  flush: () => Promise<void>;
  close: () => void;
}

/** Rejects if the TPM does not accept connections yet. Its socket exists a moment before. */
export async function connectToTpm(path: string): Promise<Socket> {
  const socket = connect({ path });
  await once(socket, 'connect');
  return socket;
}

export function openTpmConnection(socket: Socket): TpmConnection {
  const waiting: ((response: Buffer) => void)[] = [];
  const read = createMessageReader();
  socket.on('data', (chunk) => read(chunk).forEach((response) => waiting.shift()?.(response)));
  socket.on('error', () => undefined);
  let last: Promise<unknown> = Promise.resolve();
  const send = (command: Buffer): Promise<Buffer> => {
    const sent = last.then(
      () =>
        new Promise<Buffer>((resolve) => {
          waiting.push(resolve);
          socket.write(command);
        }),
    );
    last = sent;
    return sent;
  };
  return {
    send,
    flush: async () => {
      for (const handle of handlesIn(await send(getTransientHandles)))
        await send(command(FLUSH_CONTEXT, handle));
    },
    close: () => socket.destroy(),
  };
}

// The codes are those of the TPM 2.0 Library, part 2.
const NO_SESSIONS = 0x8001;
const GET_CAPABILITY = 0x17a;
const FLUSH_CONTEXT = 0x165;
const CAP_HANDLES = 1;
const FIRST_TRANSIENT = 0x80000000;
const MAX_HANDLES = 254;

function command(code: number, ...parameters: readonly number[]): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 4 * parameters.length);
  bytes.writeUInt16BE(NO_SESSIONS, 0);
  bytes.writeUInt32BE(bytes.length, 2);
  bytes.writeUInt32BE(code, 6);
  parameters.forEach((value, i) => bytes.writeUInt32BE(value, HEADER_BYTES + 4 * i));
  return bytes;
}

const getTransientHandles = command(GET_CAPABILITY, CAP_HANDLES, FIRST_TRANSIENT, MAX_HANDLES);

/** Reads the handles after the flag for more data, the capability, and the count. */
function handlesIn(response: Buffer): number[] {
  const countAt = HEADER_BYTES + 1 + 4;
  const count = response.length > countAt ? response.readUInt32BE(countAt) : 0;
  return Array.from({ length: count }, (_, i) => response.readUInt32BE(countAt + 4 + 4 * i));
}
