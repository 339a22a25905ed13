import {
  askForRoom,
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
import type { DiagRecord, Family, Protocol, SocketEnds } from './sock-diag-message.ts';

const netlinkFamily = 16;
const rawType = 3;
const sockDiagProtocol = 4;
const destroyGroups = 0b1111; // TCP and UDP, IPv4 and IPv6
const bufferSize = 65_536;
const eventRoom = 4 << 20;

/** Called with one socket of the kernel's dump. Record and bytes are valid only during the call. */
export type VisitSocket = (record: DiagRecord, bytes: Uint8Array, at: number) => void;

export type DumpResult = 'done' | 'interrupted' | 'refused';

export interface SockDiag {
  /** Visits all sockets in the states of the mask. Interrupted: some may have been missed. */
  dump: (family: Family, protocol: Protocol, states: number, visit: VisitSocket) => DumpResult;
  /** Visits the socket between two ends, if there is one. */
  find: (protocol: Protocol, ends: SocketEnds, visit: VisitSocket) => void;
  close: () => void;
}

/**
 * Questions about the sockets of this network namespace; needs no privilege. The kernel writes its
 * answer while it is received, so that nothing here waits.
 */
export function openSockDiag(): SockDiag | { problem: string } {
  const fd = openSocket(netlinkFamily, rawType, sockDiagProtocol);
  if (fd === undefined) return { problem: `the kernel's socket list: ${lastError()}` };
  const reader = createReader(fd);
  return {
    dump: (family, protocol, states, visit) => {
      reader.drain();
      const isAsked = sendBytes(fd, dumpRequest(family, protocol, states));
      return isAsked ? reader.readAnswer(visit) : 'refused';
    },
    find: (protocol, ends, visit) => {
      reader.drain();
      if (sendBytes(fd, findRequest(protocol, ends))) reader.readOne(visit);
    },
    close: () => closeSocket(fd),
  };
}

/** Something that calls back while the event loop turns. */
export interface Watch {
  /** Calls back for what has come in so far, now. */
  catchUp: () => void;
  close: () => void;
}

/** Visits each socket of this network namespace as it is destroyed. Requires CAP_NET_ADMIN. */
export function watchDestroyed(visit: VisitSocket): Watch | undefined {
  const fd = openSocket(netlinkFamily, rawType, sockDiagProtocol);
  if (fd === undefined) return undefined;
  if (!bindSocket(fd, netlinkAddress(destroyGroups))) {
    closeSocket(fd);
    return undefined;
  }
  askForRoom(fd, eventRoom);
  const reader = createReader(fd);
  const catchUp = () => reader.readWaiting(visit);
  const stop = whenReadable(fd, catchUp);
  return {
    catchUp,
    close() {
      stop();
      closeSocket(fd);
    },
  };
}

function netlinkAddress(groups: number): Uint8Array {
  const address = new Uint8Array(12);
  new Uint16Array(address.buffer, 0, 1)[0] = netlinkFamily;
  new Uint32Array(address.buffer, 8, 1)[0] = groups;
  return address;
}

function createReader(fd: number) {
  const bytes = new Uint8Array(bufferSize);
  const view = new DataView(bytes.buffer);
  const record = emptyRecord();
  const read = (length: number, visit: VisitSocket) =>
    eachSocketMessage(view, length, (at, end) => {
      readRecord(view, at, end, record);
      visit(record, bytes, at);
    });
  return {
    /** Leftovers of an answer that was given up. */
    drain() {
      while (receiveBytes(fd, bytes) > 0);
    },
    readAnswer(visit: VisitSocket): DumpResult {
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
    readWaiting(visit: VisitSocket) {
      for (let length = receiveBytes(fd, bytes); length > 0; length = receiveBytes(fd, bytes)) {
        read(length, visit);
      }
    },
  };
}
