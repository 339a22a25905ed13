/** A server in an MCP client's configuration, in a common format for all clients. */
export interface McpServer {
  name: string;
  transport: 'stdio' | 'http' | 'sse' | 'unknown';
  command: string;
  args: readonly string[];
  url: string | undefined;
  env: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  disabled: boolean;
  /** Whether all its tools may be called without confirmation. */
  trusted: boolean;
  /** All other texts of the declaration, such as descriptions. */
  texts: readonly string[];
}

type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const pairs = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => ['string', 'number', 'boolean'].includes(typeof item))
          .map(([key, item]) => [key, String(item)]),
      )
    : {};

/** The values at a key path; `*` matches every member. */
function valuesAt(
  document: unknown,
  keys: readonly string[],
): { value: unknown; scope?: string }[] {
  const [key, ...rest] = keys;
  if (key === undefined) return [{ value: document }];
  if (!isObject(document)) return [];
  if (key !== '*') return Object.hasOwn(document, key) ? valuesAt(document[key], rest) : [];
  return Object.entries(document).flatMap(([scope, value]) =>
    valuesAt(value, rest).map((found) => ({ scope, ...found })),
  );
}

/** The value at a key path without `*`; undefined if a step is missing. */
export const valueAt = (document: unknown, keys: readonly string[]): unknown =>
  valuesAt(document, keys)[0]?.value;

/** Zed nests program and arguments in `command`, OpenCode has a list, Goose uses `cmd`. */
function commandOf(fields: Fields): { command: string; args: string[] } {
  const { command } = fields;
  if (Array.isArray(command)) {
    const [first = '', ...args] = texts(command);
    return { command: first, args };
  }
  if (isObject(command))
    return { command: text(command['path']) ?? '', args: texts(command['args']) };

  return { command: text(command) ?? text(fields['cmd']) ?? '', args: texts(fields['args']) };
}

function transportOf(fields: Fields, command: string, url: string | undefined) {
  const type = (text(fields['type']) ?? text(fields['transport']) ?? '').toLowerCase();
  if (type === 'sse') return 'sse';
  if (url !== undefined) return 'http';
  return command === '' ? 'unknown' : 'stdio';
}

const otherTexts = (fields: Fields) =>
  ['description', 'instructions', 'prompt', 'title'].flatMap((key) => text(fields[key]) ?? []);

/** Continue's older files nest everything in `transport`. */
const unwrap = (fields: Fields): Fields =>
  isObject(fields['transport']) ? { ...fields, ...fields['transport'] } : fields;

function readServer(name: string, declared: Fields): McpServer | undefined {
  const fields = unwrap(declared);
  const { command, args } = commandOf(fields);
  const url = ['url', 'serverUrl', 'httpUrl', 'uri'].map((key) => text(fields[key])).find(Boolean);
  if (command === '' && url === undefined) return undefined;
  const nested = isObject(fields['command']) ? fields['command'] : {};
  return {
    name,
    transport: transportOf(fields, command, url),
    command,
    args,
    url,
    env: ['env', 'envs', 'environment'].reduce(
      (all, key) => ({ ...all, ...pairs(nested[key]), ...pairs(fields[key]) }),
      {},
    ),
    headers: {
      ...pairs(fields['headers']),
      ...pairs(fields['http_headers']),
      ...pairs(isObject(fields['requestOptions']) ? fields['requestOptions']['headers'] : {}),
    },
    disabled: fields['disabled'] === true || fields['enabled'] === false,
    trusted:
      fields['trust'] === true ||
      ['autoApprove', 'alwaysAllow'].some((key) => texts(fields[key]).includes('*')),
    texts: otherTexts(fields),
  };
}

const isServer = (fields: Fields) =>
  text(fields['name']) !== undefined || readServer('', fields) !== undefined;

/**
 * Returns the entries of a map from names to servers, or of a list of servers with names. A list
 * may also contain maps: plugins of Claude Code have such lists.
 */
function entriesOf(value: unknown): [string, Fields][] {
  if (Array.isArray(value))
    return value
      .filter(isObject)
      .flatMap((item, i): [string, Fields][] =>
        isServer(item) ? [[text(item['name']) ?? `server ${i + 1}`, item]] : mapEntries(item),
      );

  return isObject(value) ? mapEntries(value) : [];
}

const mapEntries = (map: Fields) =>
  Object.entries(map).filter((entry): entry is [string, Fields] => isObject(entry[1]));

/**
 * The servers in a parsed configuration at the given key paths. `scope` is the member that matched
 * a `*` in the path. Entries with neither a command nor an address are ignored.
 */
export function readMcpServers(
  document: unknown,
  keys: readonly (readonly string[])[],
): { server: McpServer; scope: string | undefined }[] {
  return keys.flatMap((path) =>
    valuesAt(document, path).flatMap(({ value, scope }) =>
      entriesOf(value).flatMap(([name, fields]) => {
        const server = readServer(name, fields);
        return server ? [{ server, scope }] : [];
      }),
    ),
  );
}
