import { type AppKind, programKinds } from '#contract/inventory.ts';
import { appCatalog } from '#domain/app-catalog/catalog.ts';
import { launchers } from '#domain/app-catalog/launchers.ts';
import { isRunner } from '#domain/app-catalog/runners.ts';
import { shortHash } from '../lib/ids.ts';

/** The fields of an app that determine its group. */
export interface Grouped {
  kind: AppKind;
  name: string;
  catalog_id: string | null;
  evidence: readonly string[];
}

/** Apps on several devices that form one row in the list of the fleet. */
export interface AppGroup {
  kind: AppKind;
  catalog_id: string | null;
  name: string;
  /** Apps with the same identity belong to one group. */
  identity: string;
}

const catalogNames = new Map(appCatalog.map(({ id, name }) => [id, name]));

/**
 * Returns the group of an app. Apps of the same kind and catalog id form one group. The name is
 * also part of it for apps without an id, and for kinds whose id names the program that uses them
 * (instruction files, skills, hooks …). The name of an MCP server is arbitrary: without an id, what
 * it runs is used instead.
 */
export function appGroupOf(app: Grouped): AppGroup {
  const { kind, catalog_id } = app;
  if (catalog_id !== null && isNamedByCatalog(kind))
    return {
      kind,
      catalog_id,
      name: catalogNames.get(catalog_id) ?? nameBeside(app, catalog_id),
      identity: [kind, catalog_id].join('\0'),
    };
  const name = kind === 'mcp_server' ? nameOfServer(app) : app.name;
  return { kind, catalog_id, name, identity: [kind, catalog_id ?? '', name].join('\0') };
}

const named: readonly AppKind[] = [...programKinds, 'browser_extension', 'built_in_feature'];
const isNamedByCatalog = (kind: AppKind): boolean => named.includes(kind);

/**
 * Returns the name for an id from a newer catalog. For an MCP server it is the id, because its name
 * is arbitrary.
 */
const nameBeside = ({ kind, name }: Grouped, id: string): string =>
  kind === 'mcp_server' ? id : name;

/**
 * Matches the evidence of agents on how a server is reached: `stdio: npx @acme/files@1.2.3`, `http:
 * https://mcp.acme.example`.
 */
const REACHED = /^(stdio|http|sse|streamable-http|ws): (.+)$/;

/** Returns how a server is reached, as its agent reports it. */
export function reachedBy(
  evidence: readonly string[],
): { transport: string; target: string } | undefined {
  for (const line of evidence) {
    const [, transport, target] = REACHED.exec(line) ?? [];
    if (transport !== undefined && target !== undefined) return { transport, target };
  }
  return undefined;
}

/** Returns the address or the name to which a local proxy connects. */
export const targetOfProxy = (target: string): string | undefined =>
  / to (\w+:[^\s]+)$/.exec(target)?.[1];

/** The user's name of a server is used only if its program identifies nothing, such as a shell. */
function nameOfServer({ name, evidence }: Grouped): string {
  const reached = reachedBy(evidence);
  if (!reached) return unidentified(name, 'unknown');
  const { transport, target } = reached;
  if (transport !== 'stdio') return target;
  return (
    targetOfProxy(target) ??
    nameOfFile(target) ??
    nameOfLaunched(target) ??
    nameOfProgram(target) ??
    unidentified(name, target.split(' ', 1)[0] ?? '')
  );
}

/** Such a name never equals one with a prefix, because it ends with a parenthesis. */
const unidentified = (name: string, program: string): string => `${name} (${program})`;

/** Whether a name contains the name that a user has given to a server. Rules do not match it. */
export const isUnidentified = (name: string): boolean => / \(.+\)$/.test(name);

/** Returns the name of a script, a module, or a program in a folder. */
function nameOfFile(target: string): string | undefined {
  const [, program = '', module, path = ''] =
    /^(?:(\S+) )?(?:-m (\S+)|((?:[/~.$]|[A-Za-z]:).*))$/.exec(target) ?? [];
  if (module !== undefined) return `module:${module}`;
  if (path === '') return undefined;
  return `${program === '' ? 'program' : 'script'}:${path}`;
}

const nameOfProgram = (target: string): string | undefined =>
  /^[^\s()]+$/.test(target) && !isRunner(target) ? `program:${target}` : undefined;

const registries = { npm: 'npm', python: 'pypi', image: 'docker' } as const;

/**
 * Returns the name of a package with its registry, such as `npm:@acme/files`, because two
 * registries may have packages with the same name. Another registry is a prefix, and a package
 * without a registry is named by its source.
 */
function nameOfLaunched(target: string): string | undefined {
  const [, program = '', launched = '', registry] =
    /^(\S+) (\S+)(?: from (\S+|another registry))?$/.exec(target) ?? [];
  if (launched === '') return undefined;
  if (/^(github|gitlab|bitbucket|gist):|^\w+:\/\//.test(launched)) return launched;
  const bare = launched.replace(/(?<=.)@[^@/]*$/, '');
  // An installed package, run by an interpreter.
  if (/^(npm|pypi):/.test(bare)) return bare;
  if (registry !== undefined) return `${registry} ${bare}`;
  const source = launchers.get(program)?.source;
  return source ? `${registries[source]}:${bare}` : bare;
}

export const appGroupId = (app: Grouped): string => `apg_${shortHash(appGroupOf(app).identity)}`;
