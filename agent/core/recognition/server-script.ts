import type { LocalModelServer } from '#domain/app-catalog/entry.ts';

const interpreter = /^(python(\d+(\.\d+)*)?|node|bun|deno|uvicorn|gunicorn|hypercorn)$/i;
const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export type ServerScript =
  /** A module, or a script in a folder with the project's name: both have the same origin. */
  | { kind: 'module'; name: string }
  | { kind: 'script'; name: string; path: string; serves: string | undefined };

interface RunningInterpreter {
  name: string;
  path: string | null;
  words: readonly string[];
}

/**
 * The model server that an interpreter runs: `python -m module`, `python /x/bin/script serve`,
 * `node /x/script.mjs`, `uvicorn module:app`.
 */
export function serverScript(
  running: RunningInterpreter,
  entry: LocalModelServer,
): ServerScript | undefined {
  const program = baseName(running.path ?? running.words[0] ?? running.name);
  if (!interpreter.test(program)) return undefined;
  const words = running.words.slice(1);
  const module = moduleIn(words);
  const at = words.findIndex((word) => !word.startsWith('-'));
  const path = module ?? words[at] ?? '';
  const folder = entry.scriptParts?.find((part) => path.endsWith(part));
  if (folder !== undefined) return { kind: 'module', name: folder.slice(1) };
  const isModule = module !== undefined || path.includes(':');
  const name = entry.scripts?.find((known) => known === (isModule ? path : baseName(path)));
  if (name === undefined) return undefined;
  if (isModule) return { kind: 'module', name };
  return {
    kind: 'script',
    name,
    path,
    serves: entry.serves?.find((word) => words[at + 1] === word),
  };
}

function moduleIn(words: readonly string[]): string | undefined {
  const at = words.indexOf('-m');
  return at < 0 ? undefined : words[at + 1];
}
