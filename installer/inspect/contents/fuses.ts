import type { FileReader } from './cpio.ts';

/**
 * The marker with which Electron's tools locate the fuses. It is followed by the version, the count
 * and one character per fuse.
 */
const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
const VERSION = 1;

/** The fuses in wire order (electronjs.org/docs, "Electron Fuses"). */
const names = [
  'RunAsNode',
  'EnableCookieEncryption',
  'EnableNodeOptionsEnvironmentVariable',
  'EnableNodeCliInspectArguments',
  'EnableEmbeddedAsarIntegrityValidation',
  'OnlyLoadAppFromAsar',
  'LoadBrowserProcessSpecificV8Snapshot',
  'GrantFileProtocolExtraPrivileges',
  'WasmTrapHandlers',
];
const states: Readonly<Record<string, string>> = { '0': 'off', '1': 'on', r: 'removed' };
const MAX_WIRE_LENGTH = sentinel.length + 2 + 255;

/**
 * Creates a reader that finds the fuses in Electron's framework, which may have any size. The fuses
 * occur once per processor.
 */
export function createFuseReader(onFuses: (fuses: Record<string, string>) => void): FileReader {
  let carry = Buffer.alloc(0);
  const search = (isEnd: boolean): void => {
    for (let at = carry.indexOf(sentinel); at >= 0; at = carry.indexOf(sentinel)) {
      if (!isEnd && carry.length - at < MAX_WIRE_LENGTH) return;
      const fuses = readWire(carry.subarray(at + sentinel.length));
      if (fuses) onFuses(fuses);
      carry = carry.subarray(at + sentinel.length);
    }
    // The end of a chunk may contain the start of a sentinel.
    carry = Buffer.from(carry.subarray(Math.max(0, carry.length - sentinel.length)));
  };
  return {
    take(piece) {
      carry = Buffer.concat([carry, piece]);
      search(false);
    },
    end: () => search(true),
  };
}

function readWire(bytes: Buffer): Record<string, string> | null {
  const [wireVersion, count = 0] = bytes;
  if (wireVersion !== VERSION) return null;
  const wire = bytes.toString('latin1', 2, 2 + count);
  return Object.fromEntries(
    Array.from(wire, (state, i) => [names[i] ?? `fuse ${i}`, states[state] ?? 'unknown']),
  );
}
