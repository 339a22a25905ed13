import { constants, createInflateRaw } from 'node:zlib';
import type { ObservedMessage } from '#agent/core/capture/wire/exchange.ts';

/**
 * Inflates messages as RFC 7692, 7.2.2 defines, with one window for all messages of a direction.
 */
export async function inflateAll(messages: readonly ObservedMessage[]): Promise<Buffer[]> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const texts: Buffer[] = [];
  for (const { compressed, bytes } of messages) {
    if (!compressed) {
      texts.push(Buffer.from(bytes));
      continue;
    }
    const parts: Buffer[] = [];
    const collect = (part: Buffer) => void parts.push(part);
    inflate.on('data', collect);
    inflate.write(bytes);
    inflate.write(Uint8Array.of(0, 0, 0xff, 0xff));
    await new Promise<void>((resolve) => inflate.flush(() => resolve()));
    inflate.off('data', collect);
    texts.push(Buffer.concat(parts));
  }
  return texts;
}
