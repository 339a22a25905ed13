/**
 * The same bytes in pieces of `size`, the last one shorter: handing over a piece to zlib's thread
 * costs more than compressing a small one.
 */
export async function* gather(pieces: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let gathered = Buffer.allocUnsafeSlow(size);
  let used = 0;
  for await (const piece of pieces) {
    for (let taken = 0; taken < piece.length;) {
      const count = Math.min(piece.length - taken, size - used);
      piece.copy(gathered, used, taken, taken + count);
      taken += count;
      used += count;
      if (used < size) continue;
      yield gathered;
      gathered = Buffer.allocUnsafeSlow(size);
      used = 0;
    }
  }
  if (used > 0) yield gathered.subarray(0, used);
}
