import type { FileReader } from './cpio.ts';

/** What Electron's tools find the fuses by; version, count and one character for each follow. */
const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
const version = 1;

/** In the order of the wire (electronjs.org/docs, "Electron Fuses"). */
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
const longestWire = sentinel.length + 2 + 255;

/** Finds the fuses in Electron's framework, which may have any size. One for each processor. */
export function createFuseReader(found: (fuses: Record<string, string>) => void): FileReader {
  let held = Buffer.alloc(0);
  const search = (isEnd: boolean): void => {
    for (let at = held.indexOf(sentinel); at >= 0; at = held.indexOf(sentinel)) {
      if (!isEnd && held.length - at < longestWire) return;
      const fuses = readWire(held.subarray(at + sentinel.length));
      if (fuses) found(fuses);
      held = held.subarray(at + sentinel.length);
    }
    // The beginning of a sentinel may be at the end of a piece.
    held = Buffer.from(held.subarray(Math.max(0, held.length - sentinel.length)));
  };
  return {
    take(piece) {
      held = Buffer.concat([held, piece]);
      search(false);
    },
    end: () => search(true),
  };
}

function readWire(bytes: Buffer): Record<string, string> | null {
  const [found, count = 0] = bytes;
  if (found !== version) return null;
  const wire = bytes.toString('latin1', 2, 2 + count);
  return Object.fromEntries(
    Array.from(wire, (state, i) => [names[i] ?? `fuse ${i}`, states[state] ?? 'unknown']),
  );
}
