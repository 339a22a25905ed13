import { load } from 'koffi';

/**
 * The three calls of inotify(7). `fs.watch` uses them too, but needs kilobytes per folder, reports
 * every write to a file, and does not report lost events when the kernel's queue overflows (libuv
 * ignores events without a watch).
 */
const libc = load(null);
const init = libc.func('int inotify_init1(int)');
const addWatch = libc.func('int inotify_add_watch(int, const char *, uint32_t)');
const removeWatch = libc.func('int inotify_rm_watch(int, int)');
const read = libc.func('long read(int, uint8_t *, size_t)');
const close = libc.func('int close(int)');

const NON_BLOCKING = 0o4000;
const CLOSE_ON_EXEC = 0o2000000;

export const event = {
  written: 0x8,
  movedFrom: 0x40,
  movedTo: 0x80,
  created: 0x100,
  deleted: 0x200,
  overflow: 0x4000,
  /** The watch was removed together with the folder. */
  ignored: 0x8000,
  isFolder: 0x4000_0000,
} as const;

const ONLY_FOLDERS = 0x0100_0000;
const NO_LINKS = 0x0200_0000;
export const entriesChanged = event.movedFrom | event.movedTo | event.created | event.deleted;

export interface WatchEvent {
  watch: number;
  mask: number;
  name: string;
}

export interface Inotify {
  /** The number of the watch; undefined if it cannot be created. */
  add: (dir: string, followLinks: boolean) => number | undefined;
  remove: (watch: number) => void;
  /** The events since the last call. */
  take: () => WatchEvent[];
  close: () => void;
}

/** Opens inotify; undefined if this user has too many instances open. */
export function openInotify(): Inotify | undefined {
  const fd: number = init(NON_BLOCKING | CLOSE_ON_EXEC);
  if (fd < 0) return undefined;
  const buffer = Buffer.alloc(64 * 1024);
  return {
    add: (dir, followLinks) => {
      const mask = entriesChanged | event.written | ONLY_FOLDERS | (followLinks ? 0 : NO_LINKS);
      const watch: number = addWatch(fd, dir, mask);
      return watch < 0 ? undefined : watch;
    },
    remove: (watch) => void removeWatch(fd, watch),
    take: () => {
      const events: WatchEvent[] = [];
      for (;;) {
        const length = Number(read(fd, buffer, buffer.length));
        if (length <= 0) return events;
        readEvents(buffer.subarray(0, length), events);
      }
    },
    close: () => void close(fd),
  };
}

/**
 * Parses `struct inotify_event`: watch, mask, cookie, length of the name, and the name padded with
 * zeros.
 */
function readEvents(bytes: Buffer, events: WatchEvent[]): void {
  for (let at = 0; at + 16 <= bytes.length;) {
    const end = at + 16 + bytes.readUInt32LE(at + 12);
    const zero = bytes.indexOf(0, at + 16);
    const name = bytes.toString('utf8', at + 16, zero < 0 ? end : Math.min(zero, end));
    events.push({ watch: bytes.readInt32LE(at), mask: bytes.readUInt32LE(at + 4), name });
    at = end;
  }
}
