/**
 * The classic BPF program of the packet tap, which the kernel runs on each packet from the network
 * header on. It accepts only:
 * - a TCP SYN that leaves the machine: a process begins to connect;
 * - a TCP segment that leaves the machine and begins with a TLS ClientHello;
 * - an incoming UDP packet from port 53: a response of a name server.
 */
export function connectionFilter(): Uint8Array {
  return assemble([
    [op.loadWord, ancillary.protocol],
    [op.jumpEqual, 0x0800, 'v4', 'not-v4'],
    'not-v4',
    [op.jumpEqual, 0x86dd, 'v6', 'drop'],
    'v4',
    [op.loadHalf, 6],
    [op.jumpAnyBit, 0x1fff, 'drop', 'first-fragment'],
    'first-fragment',
    [op.headerLengthToX, 0],
    [op.loadByte, 9],
    [op.jump, 0, 'transport'],
    'v6', // extension headers are not followed: TCP and DNS over IPv6 have none
    [op.setX, 40],
    [op.loadByte, 6],
    'transport',
    [op.jumpEqual, 6, 'tcp', 'not-tcp'],
    'not-tcp',
    [op.jumpEqual, 17, 'udp', 'drop'],

    'udp',
    [op.loadHalfAtX, 0],
    [op.jumpEqual, 53, 'dns', 'drop'],
    'dns',
    [op.loadWord, ancillary.packetType],
    [op.jumpEqual, OUTGOING, 'drop', 'keep'],

    'tcp',
    [op.loadWord, ancillary.packetType],
    [op.jumpEqual, OUTGOING, 'sent', 'drop'],
    'sent',
    [op.loadWord, ancillary.interface],
    [op.jumpEqual, LOOPBACK, 'drop', 'leaving'],
    'leaving',
    [op.loadByteAtX, 13],
    [op.and, 0x12],
    [op.jumpEqual, 0x02, 'keep', 'not-syn'],
    'not-syn',
    [op.loadByteAtX, 12],
    [op.and, 0xf0],
    [op.shiftRight, 2],
    [op.addX, 0],
    [op.copyToX, 0],
    [op.loadByteAtX, 0],
    [op.jumpEqual, 0x16, 'handshake', 'drop'],
    'handshake',
    [op.loadByteAtX, 1],
    [op.jumpEqual, 0x03, 'tls', 'drop'],
    'tls',
    [op.loadByteAtX, 5],
    [op.jumpEqual, 0x01, 'keep', 'drop'],

    'keep',
    [op.accept, SNAPSHOT_LENGTH],
    'drop',
    [op.accept, 0],
  ]);
}

/**
 * The maximum received length of a packet; a ClientHello with post-quantum keys has 1,800 bytes.
 */
export const SNAPSHOT_LENGTH = 8192;

const OUTGOING = 4; // PACKET_OUTGOING
const ancillary = { protocol: 0xfffff000, packetType: 0xfffff004, interface: 0xfffff008 };
const LOOPBACK = 1; // the kernel gives this index to `lo` in each network namespace

// linux/bpf_common.h
const op = {
  loadWord: 0x20,
  loadHalf: 0x28,
  loadByte: 0x30,
  loadHalfAtX: 0x48,
  loadByteAtX: 0x50,
  setX: 0x01,
  headerLengthToX: 0xb1,
  copyToX: 0x07,
  addX: 0x0c,
  and: 0x54,
  shiftRight: 0x74,
  jump: 0x05,
  jumpEqual: 0x15,
  jumpAnyBit: 0x45,
  accept: 0x06,
};

/** An instruction, or a label for the next one. Jumps only lead forward to a label. */
type Line = string | [code: number, operand: number, ifTrue?: string, ifFalse?: string];

function assemble(lines: readonly Line[]): Uint8Array {
  const instructions = lines.filter((line) => typeof line !== 'string');
  const labels = new Map<string, number>();
  let count = 0;
  for (const line of lines)
    if (typeof line === 'string') labels.set(line, count);
    else count++;

  const bytes = new Uint8Array(instructions.length * 8);
  instructions.forEach(([code, operand, ifTrue, ifFalse], at) => {
    const distance = (label: string | undefined) =>
      label === undefined ? 0 : (labels.get(label) ?? at) - at - 1;
    const isJump = code === op.jump;
    new Uint16Array(bytes.buffer, at * 8, 1)[0] = code;
    bytes[at * 8 + 2] = isJump ? 0 : distance(ifTrue);
    bytes[at * 8 + 3] = distance(ifFalse);
    new Uint32Array(bytes.buffer, at * 8 + 4, 1)[0] = isJump ? distance(ifTrue) : operand;
  });
  return bytes;
}
