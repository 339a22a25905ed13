/**
 * Regroups the bytes into chunks of `size`, the last one shorter: passing a chunk to zlib's thread
 * costs more than compressing a small one.
 */
export async function* rechunk(
  pieces: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafeSlow(size);
  let used = 0;
  for await (const piece of pieces) {
    for (let consumed = 0; consumed < piece.length;) {
      const count = Math.min(piece.length - consumed, size - used);
      piece.copy(chunk, used, consumed, consumed + count);
      consumed += count;
      used += count;
      if (used < size) continue;
      yield chunk;
      chunk = Buffer.allocUnsafeSlow(size);
      used = 0;
    }
  }
  if (used > 0) yield chunk.subarray(0, used);
}
