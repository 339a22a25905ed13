import type { Socket } from 'node:net';
import { descriptorOf } from '../socket-descriptor.ts';

const SOCKET_LEVEL = 1;
const PEER_CREDENTIALS = 17;
/** struct ucred: process, user and group, 32 bits each. */
const CREDENTIAL_BYTES = 12;

export type PeerUser = (socket: Socket) => number | null;

/**
 * The user at the other end of a Unix socket, from the kernel (unix(7), SO_PEERCRED). Null if
 * unavailable: then the socket's mode decides who may connect.
 */
export async function loadPeerUser(): Promise<PeerUser> {
  const koffi = process.platform === 'linux' ? await import('koffi').catch(() => null) : null;
  if (!koffi) return () => null;
  const getOption = koffi
    .load(null)
    .func('int getsockopt(int, int, int, _Out_ uint8_t *, _Inout_ uint32_t *)');
  return (socket) => {
    const descriptor = descriptorOf(socket);
    if (descriptor < 0) return null;
    const credentials = new Uint8Array(CREDENTIAL_BYTES);
    const length = [CREDENTIAL_BYTES];
    const failed = getOption(descriptor, SOCKET_LEVEL, PEER_CREDENTIALS, credentials, length);
    return failed === 0 ? (new Uint32Array(credentials.buffer)[1] ?? null) : null;
  };
}
