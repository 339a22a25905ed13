import type { AppKind } from '#contract/inventory.ts';
import type {
  inventoryActions,
  InventoryCondition,
  InventoryScope,
} from '#contract/inventory-rules.ts';
import { versionKey } from '#contract/version-order.ts';
import { hasProcessRule } from '#domain/app-catalog/process-rules.ts';
import { launchers } from '#domain/app-catalog/launchers.ts';
import { isUnidentified, reachedBy, targetOfProxy } from './app-group.ts';

/** The parts of a rule that matching depends on. */
export interface Rule {
  condition: InventoryCondition;
  scope: InventoryScope;
  action: (typeof inventoryActions)[number];
}

/** The facts of an app that are the same on all devices. */
export interface GroupFacts {
  kind: AppKind;
  name: string;
  catalog_id: string | null;
}

/** The facts of an app that differ between devices. */
export interface AppFacts {
  version: string | null;
  risk_flags: readonly string[];
  path: string;
  evidence: readonly string[];
}

export interface DeviceFacts {
  id: string;
  user_group: string | null;
}

/** Whether the rule may match an app of this group, depending on its version and flags. */
export function mayMatch({ condition }: Pick<Rule, 'condition'>, group: GroupFacts): boolean {
  const { kinds } = condition;
  if (kinds.length > 0 && !kinds.includes(group.kind)) return false;
  switch (condition.type) {
    case 'not_allowed':
      return !names(condition.allowed, group);
    case 'risk_flags':
      return condition.apps.length === 0 || names(condition.apps, group);
    case 'listed':
    case 'version_below':
      return names(condition.apps, group);
  }
}

export const isInScope = ({ user_groups, devices }: InventoryScope, device: DeviceFacts): boolean =>
  (user_groups.length === 0 && devices.length === 0) ||
  devices.includes(device.id) ||
  (device.user_group !== null && user_groups.includes(device.user_group));

/**
 * Returns why the rule matches this app of a group that it may match, as text; null if it does not.
 */
export function reasonFor(
  { condition }: Pick<Rule, 'condition'>,
  { name }: GroupFacts,
  { version, risk_flags }: Pick<AppFacts, 'version' | 'risk_flags'>,
): string | null {
  switch (condition.type) {
    case 'listed':
      return `${name} is listed by the rule`;
    case 'not_allowed':
      return `${name} is not on the list of allowed apps`;
    case 'version_below': {
      const [key, least] = [versionKey(version), versionKey(condition.version)];
      if (key === null || least === null || key >= least) return null;
      return `${name} ${version} is older than ${condition.version}`;
    }
    case 'risk_flags': {
      const flags = condition.flags.filter((flag) => risk_flags.includes(flag));
      return flags.length === 0 ? null : `${name} has the risk ${flags.join(', ')}`;
    }
  }
}

/**
 * Whether a pattern names the app. A pattern is an exact catalog id, or a name with `*` wildcards,
 * and case is ignored. Only `*` matches a server that nothing but the user's name identifies.
 */
function names(patterns: readonly string[], { kind, name, catalog_id }: GroupFacts): boolean {
  const isServer = kind === 'mcp_server';
  if (isServer && catalog_id === null && isUnidentified(name))
    return patterns.some((one) => /^\*+$/.test(one));
  const bare = isServer ? withoutRegistry(name) : name;
  return patterns.some(
    (one) => one === catalog_id || matchesWildcard(one, name) || matchesWildcard(one, bare),
  );
}

/** Returns a package name without its public registry, which rules may omit. */
const withoutRegistry = (name: string): string => name.replace(/^(npm|pypi|docker):/, '');

/**
 * Whether a pattern with `*` matches a name. It matches the pieces in order, anchored at both ends,
 * without a regular expression that could backtrack.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  const text = name.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The longest name that Guard accepts. */
const MAX_NAME_LENGTH = 253;

/**
 * Returns the names by which Guard blocks an app: its catalog id if devices know its processes by
 * that, else the file of a command-line tool or the package of an MCP server. It is empty for an app
 * without a process that devices can identify, such as a remote server or an image.
 */
export function processesOf(
  { kind, name, catalog_id }: GroupFacts,
  { path, evidence }: Pick<AppFacts, 'path' | 'evidence'>,
): string[] {
  if (kind === 'mcp_server' && !isLocal(evidence)) return [];
  if (catalog_id !== null && hasProcessRule(catalog_id)) return [catalog_id];
  const own = kind === 'cli' ? path : kind === 'mcp_server' ? packageOf(name) : '';
  return own !== '' && own.length <= MAX_NAME_LENGTH ? [own] : [];
}

/** Whether a server runs as a process of the device: not behind an address, not in a container. */
function isLocal(evidence: readonly string[]): boolean {
  const reached = reachedBy(evidence);
  if (!reached) return true;
  const isContainer = launchers.get(reached.target.split(' ', 1)[0] ?? '')?.source === 'image';
  return (
    reached.transport === 'stdio' && !isContainer && targetOfProxy(reached.target) === undefined
  );
}

/** Returns the name by which a device knows the processes of a package, in any registry. */
function packageOf(name: string): string {
  const other = /^(?:https?:\/\/\S+|another registry) ([^\s()]+)$/.exec(name)?.[1];
  const own = /^(?:npm|pypi):([^\s()]+)$/.exec(name)?.[1];
  const bare = other ?? own ?? '';
  return name.startsWith('pypi:') ? bare.toLowerCase().replaceAll(/[-_.]+/g, '-') : bare;
}
