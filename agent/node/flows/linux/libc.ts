import { errno, load, node, os, pointer, struct } from 'koffi';

// Node has no functions for these system calls. They are loaded from the C library of this process,
// which works with both glibc and musl.
const libc = load(null);
const filterProgram = struct({ length: 'uint16_t', instructions: 'const uint8_t *' });
const calls = {
  socket: libc.func('int socket(int, int, int)'),
  bind: libc.func('int bind(int, const uint8_t *, uint32_t)'),
  connect: libc.func('int connect(int, const uint8_t *, uint32_t)'),
  send: libc.func('long send(int, const uint8_t *, size_t, int)'),
  recv: libc.func('long recv(int, uint8_t *, size_t, int)'),
  close: libc.func('int close(int)'),
  setOption: libc.func('int setsockopt(int, int, int, const uint8_t *, uint32_t)'),
  setFilter: libc.func('setsockopt', 'int', [
    'int',
    'int',
    'int',
    pointer(filterProgram),
    'uint32_t',
  ]),
};

const NON_BLOCKING = 0o4000;
const CLOSE_ON_EXEC = 0o2000000;
const DONT_WAIT = 0x40;
const SOCKET_LEVEL = 1;
const RECEIVE_BUFFER = 8;
const ATTACH_FILTER = 26;

/** A file descriptor; after an error see `lastError`. */
export type Descriptor = number;

/** A non-blocking socket that is not inherited; undefined if the system refuses. */
export function openSocket(domain: number, type: number, protocol: number): Descriptor | undefined {
  const fd: number = calls.socket(domain, type | NON_BLOCKING | CLOSE_ON_EXEC, protocol);
  return fd < 0 ? undefined : fd;
}

export function bindSocket(fd: Descriptor, address: Uint8Array): boolean {
  return calls.bind(fd, address, address.length) === 0;
}

/** Begins to connect. Returns whether the system accepts the address. */
export function connectSocket(fd: Descriptor, address: Uint8Array): boolean {
  return calls.connect(fd, address, address.length) === 0 || lastError() === 'EINPROGRESS';
}

export function sendBytes(fd: Descriptor, bytes: Uint8Array): boolean {
  return calls.send(fd, bytes, bytes.length, 0) === bytes.length;
}

/**
 * Returns the length of the message received into `buffer`, truncated to its size; negative if
 * there is none.
 */
export function receiveBytes(fd: Descriptor, buffer: Uint8Array): number {
  return calls.recv(fd, buffer, buffer.length, DONT_WAIT);
}

export function closeSocket(fd: Descriptor): void {
  calls.close(fd);
}

/**
 * Sets the receive buffer for messages that arrive while this process is busy. The system may grant
 * a smaller one.
 */
export function setReceiveBuffer(fd: Descriptor, bytes: number): void {
  const value = new Uint8Array(Int32Array.of(bytes).buffer);
  calls.setOption(fd, SOCKET_LEVEL, RECEIVE_BUFFER, value, value.length);
}

/** Attaches a filter (classic BPF, eight bytes per instruction) for received packets. */
export function filterSocket(fd: Descriptor, instructions: Uint8Array): boolean {
  const program = { length: instructions.length / 8, instructions };
  return calls.setFilter(fd, SOCKET_LEVEL, ATTACH_FILTER, program, 16) === 0;
}

/** Calls back when the descriptor is readable, until the returned function is called. */
export function whenReadable(fd: Descriptor, onReadable: () => void): () => void {
  const handle = node.poll(fd, { readable: true }, onReadable);
  return () => handle.close();
}

/** The name of the last call's error, such as `EPERM`. */
export function lastError(): string {
  const number = errno();
  const name = Object.entries(os.errno).find(([, value]) => value === number)?.[0];
  return name ?? `error ${number}`;
}
