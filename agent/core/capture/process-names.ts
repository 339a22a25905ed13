import { appCatalog } from '#domain/app-catalog/catalog.ts';
import type { CatalogEntry } from '#domain/app-catalog/entry.ts';
import { appOfProcess } from '../recognition/app-of-process.ts';
import { packageOfScript } from '../recognition/app-of-script.ts';

/** The process that opened a connection; null members are unknown. */
export interface ClientProcess {
  process: string | null;
  path: string | null;
  /** The script that runs in an interpreter. */
  script?: string | null;
}

/**
 * Whether a list names a process: by its name, its executable's file name or path, its script or
 * package, its app's catalog id, or a program of that app.
 */
export function isNamed(names: readonly string[], client: ClientProcess): boolean {
  if (names.length === 0) return false;
  const isOne = (name: string): boolean => names.includes(name);
  return ownNames(client).some(isOne) || namesOfApp(client).some(isOne);
}

const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const ownNames = ({ process, path, script }: ClientProcess): string[] => [
  ...(process === null ? [] : [process]),
  ...(path === null ? [] : [path, fileOf(path)]),
  ...(script ? namesOfScript(script) : []),
];

function namesOfScript(script: string): string[] {
  const name = packageOfScript(script);
  const file = fileOf(script);
  return [script, file, file.replace(/(?<=.)\.\w+$/, ''), ...(name === undefined ? [] : [name])];
}

function namesOfApp({ process: name, path, script = null }: ClientProcess): readonly string[] {
  const id = appOfProcess({ name, path, script });
  return id === undefined ? [] : [id, ...(programsById.get(id) ?? [])];
}

function programsOf(entry: CatalogEntry): readonly string[] {
  if (entry.kind === 'cli') return entry.binaries;
  if (entry.kind === 'desktop_app') return entry.darwin?.appNames ?? [];
  return (entry.kind === 'local_model_server' && entry.executables) || [];
}

const programsById = new Map(appCatalog.map((entry) => [entry.id, programsOf(entry)]));
