import { isObject } from './mcp-server.ts';

/** The automatic actions of one member of a settings file. */
export interface Hook {
  event: string;
  /** Command lines as written. */
  commands: readonly string[];
  /** Called URLs. */
  addresses: readonly string[];
}

const commandKeys = ['command', 'bash', 'powershell', 'cmd', 'linux', 'osx', 'windows', 'run'];
const MAX_DEPTH = 4;

const lineOf = (value: unknown): string[] => {
  if (typeof value === 'string' && value.trim() !== '') return [value];
  const words = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
  return words.length > 0 && Array.isArray(value) && words.length === value.length
    ? [words.join(' ')]
    : [];
};

const own = (fields: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

const isOff = (fields: Record<string, unknown>) =>
  own(fields, 'disabled') === true || own(fields, 'enabled') === false;

type Actions = Pick<Hook, 'commands' | 'addresses'>;
const noActions: Actions = { commands: [], addresses: [] };

const mergeActions = (all: readonly Actions[]): Actions => ({
  commands: all.flatMap(({ commands }) => commands),
  addresses: all.flatMap(({ addresses }) => addresses),
});

/** The actions of an object itself, without nested ones. */
const directActions = (fields: Record<string, unknown>): Actions => ({
  commands: commandKeys.flatMap((key) => lineOf(own(fields, key))),
  addresses: lineOf(own(fields, 'url')),
});

/** All actions of one event: tools nest matchers and lists differently. */
function actionsIn(value: unknown, depth = 0): Actions {
  if (depth > MAX_DEPTH) return noActions;
  const line = lineOf(value);
  if (line.length > 0) return { ...noActions, commands: line };
  if (Array.isArray(value)) return mergeActions(value.map((item) => actionsIn(item, depth + 1)));
  if (!isObject(value) || isOff(value)) return noActions;
  const direct = directActions(value);
  if (direct.commands.length + direct.addresses.length > 0) return direct;
  const nested = Object.values(value).filter((item) => typeof item === 'object');
  return mergeActions(nested.map((item) => actionsIn(item, depth + 1)));
}

const isHook = ({ commands, addresses }: Actions) => commands.length + addresses.length > 0;

function hooksAt(key: string, value: unknown): Hook[] {
  const direct = isObject(value)
    ? directActions(value)
    : key === 'hooks'
      ? noActions
      : actionsIn(value);
  if (isHook(direct)) return isObject(value) && isOff(value) ? [] : [{ event: key, ...direct }];
  if (!isObject(value) || isOff(value)) return [];
  return Object.entries(value)
    .filter(([, item]) => typeof item === 'object')
    .map(([event, item]) => ({ event, ...actionsIn(item) }))
    .filter(isHook);
}

/**
 * The hooks that a parsed document declares at the given key paths: by event, or one command at the
 * path itself. Disabled hooks are omitted.
 */
export function readHooks(document: unknown, keys: readonly (readonly string[])[]): Hook[] {
  if (!isObject(document) || isOff(document)) return [];
  return keys.flatMap((path) => {
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) ? own(at, key) : undefined),
      document,
    );
    return hooksAt(path.at(-1) ?? '', value);
  });
}
