import {
  setReceiveBuffer,
  bindSocket,
  closeSocket,
  lastError,
  openSocket,
  receiveBytes,
  sendBytes,
  whenReadable,
} from './libc.ts';
import {
  dumpRequest,
  eachSocketMessage,
  emptyRecord,
  findRequest,
  readRecord,
} from './sock-diag-message.ts';
import type { DiagRecord, Family, Protocol, SocketEndpoints } from './sock-diag-message.ts';

const NETLINK_FAMILY = 16;
const RAW_TYPE = 3;
const SOCK_DIAG_PROTOCOL = 4;
const DESTROY_GROUPS = 0b1111; // TCP and UDP, IPv4 and IPv6
const BUFFER_SIZE = 65_536;
const EVENT_BUFFER_BYTES = 4 << 20;

/** Called with one socket of the kernel's dump. Record and bytes are valid only during the call. */
export type VisitSocket = (record: DiagRecord, bytes: Uint8Array, at: number) => void;

export type DumpResult = 'done' | 'interrupted' | 'refused';

export interface SockDiag {
  /** Visits all sockets in the states of the mask. `interrupted`: some may have been missed. */
  dump: (family: Family, protocol: Protocol, states: number, visit: VisitSocket) => DumpResult;
  /** Visits the socket between two ends, if there is one. */
  find: (protocol: Protocol, ends: SocketEndpoints, visit: VisitSocket) => void;
  close: () => void;
}

/**
 * Queries the sockets of this network namespace; needs no privilege. The kernel generates its
 * response while it is received, so no call here waits.
 */
export function openSockDiag(): SockDiag | { error: string } {
  const fd = openSocket(NETLINK_FAMILY, RAW_TYPE, SOCK_DIAG_PROTOCOL);
  if (fd === undefined) return { error: `the kernel's socket list: ${lastError()}` };
  const reader = createReader(fd);
  return {
    dump: (family, protocol, states, visit) => {
      reader.drain();
      const isSent = sendBytes(fd, dumpRequest(family, protocol, states));
      return isSent ? reader.readResponse(visit) : 'refused';
    },
    find: (protocol, ends, visit) => {
      reader.drain();
      if (sendBytes(fd, findRequest(protocol, ends))) reader.readOne(visit);
    },
    close: () => closeSocket(fd),
  };
}

/** A subscription that calls back from the event loop. */
export interface Watch {
  /** Calls back now for all pending events. */
  readPending: () => void;
  close: () => void;
}

/**
 * Calls `visit` for each socket of this network namespace when it is destroyed. Requires
 * CAP_NET_ADMIN.
 */
export function watchDestroyed(visit: VisitSocket): Watch | undefined {
  const fd = openSocket(NETLINK_FAMILY, RAW_TYPE, SOCK_DIAG_PROTOCOL);
  if (fd === undefined) return undefined;
  if (!bindSocket(fd, netlinkAddress(DESTROY_GROUPS))) {
    closeSocket(fd);
    return undefined;
  }
  setReceiveBuffer(fd, EVENT_BUFFER_BYTES);
  const reader = createReader(fd);
  const readPending = () => reader.readAll(visit);
  const stop = whenReadable(fd, readPending);
  return {
    readPending,
    close() {
      stop();
      closeSocket(fd);
    },
  };
}

function netlinkAddress(groups: number): Uint8Array {
  const address = new Uint8Array(12);
  new Uint16Array(address.buffer, 0, 1)[0] = NETLINK_FAMILY;
  new Uint32Array(address.buffer, 8, 1)[0] = groups;
  return address;
}

function createReader(fd: number) {
  const bytes = new Uint8Array(BUFFER_SIZE);
  const view = new DataView(bytes.buffer);
  const record = emptyRecord();
  const read = (length: number, visit: VisitSocket) =>
    eachSocketMessage(view, length, (at, end) => {
      readRecord(view, at, end, record);
      visit(record, bytes, at);
    });
  return {
    /** Discards the rest of an abandoned response. */
    drain() {
      while (receiveBytes(fd, bytes) > 0);
    },
    readResponse(visit: VisitSocket): DumpResult {
      for (;;) {
        const length = receiveBytes(fd, bytes);
        if (length <= 0) return 'interrupted';
        const end = read(length, visit);
        if (end !== 'more') return end;
      }
    },
    readOne(visit: VisitSocket) {
      const length = receiveBytes(fd, bytes);
      if (length > 0) read(length, visit);
    },
    readAll(visit: VisitSocket) {
      for (let length = receiveBytes(fd, bytes); length > 0; length = receiveBytes(fd, bytes))
        read(length, visit);
    },
  };
}
