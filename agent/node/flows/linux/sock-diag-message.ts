import { ipText } from '#agent/core/ip-address.ts';

// The layouts are from linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h and linux/tcp.h.
// Netlink uses the byte order of the machine; ports and addresses are in network byte order.
const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const DIAG_BY_FAMILY = 20;
const DUMP_FLAGS = 0x301; // NLM_F_REQUEST | NLM_F_DUMP
const REQUEST_FLAG = 0x01;
const ERROR_TYPE = 2;
const DONE_TYPE = 3;
const INFO_ATTRIBUTE = 2;
const PROTOCOL_ATTRIBUTE = 10;
const REQUEST_LENGTH = 72;
const NO_COOKIE = 0xffffffff;

export const addressFamily = { v4: 2, v6: 10 } as const;
export const ipProtocol = { tcp: 6, udp: 17 } as const;
export const tcpState = {
  established: 1,
  synSent: 2,
  synReceived: 3,
  finWait1: 4,
  finWait2: 5,
  timeWait: 6,
  close: 7,
  closeWait: 8,
  lastAck: 9,
  listen: 10,
  closing: 11,
} as const;

export type Family = (typeof addressFamily)[keyof typeof addressFamily];
export type Protocol = keyof typeof ipProtocol;

/** Both endpoints of a socket; addresses are bytes in network byte order (4 or 16). */
export interface SocketEndpoints {
  family: Family;
  local: Uint8Array;
  localPort: number;
  remote: Uint8Array;
  port: number;
}

/** Builds a request for all sockets in the states of the bit mask. */
export function dumpRequest(family: Family, protocol: Protocol, states: number): Uint8Array {
  return request(DUMP_FLAGS, family, protocol, states).bytes;
}

/** Builds a request for the socket between these two endpoints. */
export function findRequest(protocol: Protocol, ends: SocketEndpoints): Uint8Array {
  const { bytes, view } = request(REQUEST_FLAG, ends.family, protocol, NO_COOKIE);
  view.setUint16(24, ends.localPort);
  view.setUint16(26, ends.port);
  bytes.set(ends.local, 28);
  bytes.set(ends.remote, 44);
  view.setUint32(64, NO_COOKIE);
  view.setUint32(68, NO_COOKIE);
  return bytes;
}

function request(flags: number, family: Family, protocol: Protocol, states: number) {
  const bytes = new Uint8Array(REQUEST_LENGTH);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, REQUEST_LENGTH, littleEndian);
  view.setUint16(4, DIAG_BY_FAMILY, littleEndian);
  view.setUint16(6, flags, littleEndian);
  view.setUint8(16, family);
  view.setUint8(17, ipProtocol[protocol]);
  view.setUint8(18, 1 << (INFO_ATTRIBUTE - 1));
  view.setUint32(20, states, littleEndian);
  return { bytes, view };
}

/**
 * The numbers of one socket. The record is filled again for each message, so that a dump allocates
 * nothing.
 */
export interface DiagRecord {
  family: number;
  state: number;
  localPort: number;
  port: number;
  /** The kernel's cookie of the socket, counted up from 1 at boot: it fits a double. */
  cookie: number;
  /** Bytes received that the process has not read yet; a received FIN counts as one. */
  unread: number;
  /** Bytes that the process has written and the peer has not acknowledged. */
  unacknowledged: number;
  uid: number;
  inode: number;
  /**
   * The IP protocol number; 0 if the message does not contain it, like the response to
   * `findRequest`.
   */
  protocol: number;
  hasInfo: boolean;
  bytesAcked: number;
  bytesReceived: number;
  /** The payload without retransmissions; negative if the kernel is too old to count it. */
  bytesSent: number;
}

export function emptyRecord(): DiagRecord {
  return {
    family: 0,
    state: 0,
    localPort: 0,
    port: 0,
    cookie: 0,
    unread: 0,
    unacknowledged: 0,
    uid: 0,
    inode: 0,
    protocol: 0,
    hasInfo: false,
    bytesAcked: 0,
    bytesReceived: 0,
    bytesSent: -1,
  };
}

/** The way in which a buffer of netlink messages ended. */
export type DiagEnd = 'more' | 'done' | 'refused';

/** Calls `visit` with the offset and end of each socket message in the first `length` bytes. */
export function eachSocketMessage(
  view: DataView,
  length: number,
  visit: (at: number, end: number) => void,
): DiagEnd {
  for (let at = 0; at + 16 <= length;) {
    const size = view.getUint32(at, littleEndian);
    const type = view.getUint16(at + 4, littleEndian);
    if (size < 16 || at + size > length || type === ERROR_TYPE) return 'refused';
    if (type === DONE_TYPE) return 'done';
    if (type === DIAG_BY_FAMILY && size >= 16 + 72) visit(at + 16, at + size);
    at += (size + 3) & ~3;
  }
  return 'more';
}

/** Reads the socket message at `at` into `record`. */
export function readRecord(view: DataView, at: number, end: number, record: DiagRecord): void {
  record.family = view.getUint8(at);
  record.state = view.getUint8(at + 1);
  record.localPort = view.getUint16(at + 4);
  record.port = view.getUint16(at + 6);
  record.cookie = readUint64(view, at + 44);
  record.unread = view.getUint32(at + 56, littleEndian);
  record.unacknowledged = view.getUint32(at + 60, littleEndian);
  record.uid = view.getUint32(at + 64, littleEndian);
  record.inode = view.getUint32(at + 68, littleEndian);
  record.protocol = 0;
  record.hasInfo = false;
  for (let p = at + 72; p + 4 <= end;) {
    const size = view.getUint16(p, littleEndian);
    const type = view.getUint16(p + 2, littleEndian);
    if (type === INFO_ATTRIBUTE) readTcpInfo(view, p + 4, size - 4, record);
    else if (type === PROTOCOL_ATTRIBUTE) record.protocol = view.getUint8(p + 4);
    p += Math.max(4, (size + 3) & ~3);
  }
}

function readTcpInfo(view: DataView, at: number, size: number, record: DiagRecord): void {
  if (size < 136) return; // kernels before 4.1 do not count bytes
  record.hasInfo = true;
  record.bytesAcked = readUint64(view, at + 120);
  record.bytesReceived = readUint64(view, at + 128);
  record.bytesSent = size < 216 ? -1 : readUint64(view, at + 200) - readUint64(view, at + 208);
}

export function localAddressOf(bytes: Uint8Array, at: number, family: number): string {
  return ipText(bytes, at + 8, family === addressFamily.v4 ? 4 : 16);
}

export function remoteAddressOf(bytes: Uint8Array, at: number, family: number): string {
  return ipText(bytes, at + 24, family === addressFamily.v4 ? 4 : 16);
}

/** Returns the endpoints in the socket message at `at`, to request the same socket again. */
export function endpointsOf(bytes: Uint8Array, at: number, record: DiagRecord): SocketEndpoints {
  const isV4 = record.family === addressFamily.v4;
  const size = isV4 ? 4 : 16;
  return {
    family: isV4 ? addressFamily.v4 : addressFamily.v6,
    local: bytes.slice(at + 8, at + 8 + size),
    localPort: record.localPort,
    remote: bytes.slice(at + 24, at + 24 + size),
    port: record.port,
  };
}

function readUint64(view: DataView, at: number): number {
  const low = view.getUint32(littleEndian ? at : at + 4, littleEndian);
  const high = view.getUint32(littleEndian ? at + 4 : at, littleEndian);
  return high * 0x1_0000_0000 + low;
}
