export interface WrittenFrame {
  opcode: number;
  payload: Uint8Array;
  isFinal?: boolean;
  /** The bits RSV1, RSV2 and RSV3, as 4, 2 and 1. */
  reserved?: number;
  key?: readonly [number, number, number, number];
  /** The encoding of the length, if not the shortest one. */
  lengthForm?: 126 | 127;
}

/** Encodes a frame (RFC 6455, 5.2). */
export function webSocketFrame(frame: WrittenFrame): Uint8Array {
  const { opcode, payload, isFinal = true, reserved = 0, key } = frame;
  const form = frame.lengthForm ?? shortestForm(payload.length);
  const head = [
    (isFinal ? 0x80 : 0) | (reserved << 4) | opcode,
    (key ? 0x80 : 0) | form,
    ...bigEndian(payload.length, form === 127 ? 8 : form === 126 ? 2 : 0),
    ...(key ?? []),
  ];
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(
    payload.map((byte, i) => byte ^ (key?.[i % 4] ?? 0)),
    head.length,
  );
  return bytes;
}

function shortestForm(length: number): number {
  if (length < 126) return length;
  return length < 65_536 ? 126 : 127;
}

function bigEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) % 256);
}
