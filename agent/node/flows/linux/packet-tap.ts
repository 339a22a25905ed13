import {
  setReceiveBuffer,
  bindSocket,
  closeSocket,
  filterSocket,
  openSocket,
  receiveBytes,
  whenReadable,
} from './libc.ts';
import { connectionFilter, SNAPSHOT_LENGTH } from './packet-filter.ts';
import { readPacket } from './packet.ts';
import type { Packet } from './packet.ts';
import type { Watch } from './sock-diag-socket.ts';

const PACKET_FAMILY = 17;
const DATAGRAM_TYPE = 2;
const ALL_PROTOCOLS = 3; // ETH_P_ALL: the only protocol that includes outgoing packets
const RECEIVE_BUFFER_BYTES = 4 << 20;
const MAX_PACKETS_PER_TURN = 256;

/**
 * Delivers the packets that pass `connectionFilter`, on all interfaces of this network namespace.
 * Undefined without CAP_NET_RAW. The socket receives nothing until it is bound, which happens after
 * the filter is set.
 */
export function tapPackets(onPacket: (packet: Packet) => void): Watch | undefined {
  const fd = openSocket(PACKET_FAMILY, DATAGRAM_TYPE, 0);
  if (fd === undefined) return undefined;
  setReceiveBuffer(fd, RECEIVE_BUFFER_BYTES);
  if (!filterSocket(fd, connectionFilter()) || !bindSocket(fd, packetAddress())) {
    closeSocket(fd);
    return undefined;
  }
  const bytes = new Uint8Array(SNAPSHOT_LENGTH);
  const readPending = () => {
    // Limited, so that many packets cannot delay other work.
    for (let remaining = MAX_PACKETS_PER_TURN; remaining > 0; remaining--) {
      const length = receiveBytes(fd, bytes);
      if (length < 0) return;
      const packet = readPacket(bytes.subarray(0, length));
      if (packet) onPacket(packet);
    }
  };
  const stop = whenReadable(fd, readPending);
  return {
    readPending,
    close() {
      stop();
      closeSocket(fd);
    },
  };
}

function packetAddress(): Uint8Array {
  const address = new Uint8Array(20);
  new Uint16Array(address.buffer, 0, 1)[0] = PACKET_FAMILY;
  address[3] = ALL_PROTOCOLS; // in network byte order
  return address;
}
