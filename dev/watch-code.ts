import { watch } from 'node:fs';
import { resolve, sep } from 'node:path';

/** An editor that saves several files causes one restart. */
const SETTLE_MS = 100;

const unrelated = /(^|\/)(node_modules|dist|testing)\/|\.test\.ts$/;

/** What a program is made from: folders of code, without those of other programs in them. */
export interface Code {
  folders: readonly string[];
  without?: readonly string[];
}

export interface CodeWatcher {
  onChange: () => void;
  onError: (error: Error) => void;
}

/** Reports changes of TypeScript and JSON files. Returns what ends it. */
export function watchCode(code: Code, { onChange, onError }: CodeWatcher): () => void {
  const excluded = (code.without ?? []).map((folder) => resolve(folder) + sep);
  let timer: NodeJS.Timeout | undefined;
  const watchers = code.folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (name === null || !/\.(ts|json)$/.test(name) || unrelated.test(name)) return;
      const file = resolve(folder, name);
      if (excluded.some((prefix) => file.startsWith(prefix))) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, SETTLE_MS);
    }).on('error', onError),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
