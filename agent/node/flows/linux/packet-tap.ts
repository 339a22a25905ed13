import {
  askForRoom,
  bindSocket,
  closeSocket,
  filterSocket,
  openSocket,
  receiveBytes,
  whenReadable,
} from './libc.ts';
import { connectionFilter, snapshotLength } from './packet-filter.ts';
import { readPacket } from './packet.ts';
import type { Packet } from './packet.ts';
import type { Watch } from './sock-diag-socket.ts';

const packetFamily = 17;
const datagramType = 2;
const allProtocols = 3; // ETH_P_ALL: the only one that outgoing packets are shown to
const room = 4 << 20;
const batch = 256;

/**
 * Hands over the packets that `connectionFilter` lets through, on all interfaces of this network
 * namespace. Needs CAP_NET_RAW: nothing without. The socket hears nothing until it is bound, and
 * is bound only with the filter in place.
 */
export function tapPackets(onPacket: (packet: Packet) => void): Watch | undefined {
  const fd = openSocket(packetFamily, datagramType, 0);
  if (fd === undefined) return undefined;
  askForRoom(fd, room);
  if (!filterSocket(fd, connectionFilter()) || !bindSocket(fd, packetAddress())) {
    closeSocket(fd);
    return undefined;
  }
  const bytes = new Uint8Array(snapshotLength);
  const catchUp = () => {
    // Bounded, so that a flood of packets cannot keep everything else waiting.
    for (let left = batch; left > 0; left--) {
      const length = receiveBytes(fd, bytes);
      if (length < 0) return;
      const packet = readPacket(bytes.subarray(0, length));
      if (packet) onPacket(packet);
    }
  };
  const stop = whenReadable(fd, catchUp);
  return {
    catchUp,
    close() {
      stop();
      closeSocket(fd);
    },
  };
}

function packetAddress(): Uint8Array {
  const address = new Uint8Array(20);
  new Uint16Array(address.buffer, 0, 1)[0] = packetFamily;
  address[3] = allProtocols; // in network order
  return address;
}
