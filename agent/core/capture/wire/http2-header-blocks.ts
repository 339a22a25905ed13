import { createByteBuffer } from './byte-buffer.ts';
import type { Headers } from './exchange.ts';
import { createHpackDecoder } from './hpack.ts';
import { frameFlag, type FrameHeader, frameType } from './http2-frames.ts';

/** The header blocks of one side, joined from HEADERS or PUSH_PROMISE and CONTINUATION frames. */
export interface HeaderBlocks {
  /** @throws Error for a frame that is invalid at this point */
  check: (frame: FrameHeader) => void;
  add: (frame: FrameHeader, payload: Uint8Array) => void;
  allowTableSize: (size: number) => void;
}

const MAX_BLOCK_BYTES = 65_536;

/**
 * `onHeaders` gets the first frame of each block. Every block is decoded to keep the dynamic table
 * in sync.
 */
export function createHeaderBlocks(
  onHeaders: (frame: FrameHeader, headers: Headers) => void,
): HeaderBlocks {
  const decoder = createHpackDecoder();
  const fragments = createByteBuffer();
  let first: FrameHeader | null = null; // of an incomplete block

  function check(frame: FrameHeader): void {
    const isContinuation = frame.type === frameType.continuation;
    if (isContinuation !== (first !== null)) throw new Error('a header block interrupted');
    if (first && first.streamId !== frame.streamId) throw new Error('header blocks interleaved');
  }

  function add(frame: FrameHeader, payload: Uint8Array): void {
    const begun = first ?? frame;
    const fragment = fragmentOf(frame, payload);
    if (fragments.length() + fragment.length > MAX_BLOCK_BYTES)
      throw new Error(`more than ${MAX_BLOCK_BYTES} bytes of header block`);

    if (frame.flags & frameFlag.endHeaders) {
      first = null;
      onHeaders(begun, decoder.decode(joined(fragment)));
    } else {
      first = begun;
      fragments.append(fragment);
    }
  }

  function joined(last: Uint8Array): Uint8Array {
    if (fragments.length() === 0) return last;
    fragments.append(last);
    return fragments.take();
  }

  return { check, add, allowTableSize: decoder.allowTableSize };
}

/**
 * Returns the fragment without padding, priority and promised stream (RFC 9113, 6.2, 6.6 and 6.10).
 */
function fragmentOf({ type, flags }: FrameHeader, payload: Uint8Array): Uint8Array {
  if (type === frameType.continuation) return payload;
  const isPadded = (flags & frameFlag.padded) !== 0;
  const hasPriority = type === frameType.headers && (flags & frameFlag.priority) !== 0;
  const promised = type === frameType.pushPromise ? 4 : 0;
  const from = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0) + promised;
  const to = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (from > to) throw new Error('more padding than payload');
  return payload.subarray(from, to);
}
