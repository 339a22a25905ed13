import { appCatalog } from './catalog.ts';
import type { CatalogEntry, KnownMcpServer } from './entry.ts';

/** How the path of an executable identifies an app. */
export interface ProcessRule {
  id: string;
  /** A part of the path or the whole path. Without `names`, the path alone is sufficient. */
  pattern: string;
  names?: readonly string[];
}

const orEmpty = <T>(rules: readonly T[] | undefined): readonly T[] => rules ?? [];

/** Operating system names that occur in npm package names. */
const systems = ['darwin', 'linux', 'linuxmusl'];

/** Any home may contain `~/x/`, so only the part after the tilde must occur. */
const pathSuffix = (dir: string) => (dir.startsWith('~') ? dir.slice(1) : dir);

/** Packages whose processes a device can see: the process of an image runs in a container. */
const packagesOf = (entry: KnownMcpServer): readonly string[] =>
  orEmpty(entry.packages).filter((name) => name.startsWith('@') || !name.includes('/'));

function patternsOf(entry: CatalogEntry): string[] {
  switch (entry.kind) {
    case 'desktop_app':
      return [
        ...orEmpty(entry.darwin?.appNames).map((name) => `/Applications/${name}.app/Contents/`),
        ...orEmpty(entry.linux?.installDirs).map(pathSuffix),
      ];
    case 'cli':
      return [
        ...orEmpty(entry.npm).map((name) => `/node_modules/${name}/`),
        ...orEmpty(entry.npmNative ?? entry.npm).flatMap((name) =>
          systems.map((system) => `/node_modules/${name}-${system}-`),
        ),
        ...orEmpty(entry.brew).flatMap((name) => [`/Cellar/${name}/`, `/Caskroom/${name}/`]),
        ...orEmpty(entry.casks).map((name) => `/Caskroom/${name}/`),
        ...orEmpty(entry.installDirs).map(pathSuffix),
      ];
    case 'editor_extension':
      return orEmpty(entry.vscode).map((id) => `/extensions/${id}-`);
    case 'local_model_server':
      return [...orEmpty(entry.paths)];
    case 'mcp_server':
      return packagesOf(entry).map((name) => `/node_modules/${name}/`);
  }
}

const namedRules = (entry: CatalogEntry): ProcessRule[] => {
  if (entry.kind !== 'local_model_server') return [];
  const names = [...orEmpty(entry.executables), ...orEmpty(entry.commonNames)];
  return orEmpty(entry.parts).map((pattern) => ({ id: entry.id, pattern, names }));
};

/** The rules by which devices recognize the processes of all apps by path. */
export const processRules: readonly ProcessRule[] = appCatalog.flatMap((entry) => [
  ...patternsOf(entry).map((pattern) => ({ id: entry.id, pattern })),
  ...namedRules(entry),
]);

/** Tools that are recognized by the Python distribution of their script. */
const distributed = appCatalog.filter((entry) => entry.kind === 'cli' && entry.pypi);

const recognized = new Set([...processRules, ...distributed].map(({ id }) => id));

/** Whether devices can recognize the processes of the app with this catalog id. */
export const hasProcessRule = (id: string): boolean => recognized.has(id);
