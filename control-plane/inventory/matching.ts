import type { AppKind } from '#contract/fleet.ts';
import type {
  inventoryActions,
  InventoryCondition,
  InventoryScope,
} from '#contract/inventory-rules.ts';
import { versionKey } from '#contract/version-order.ts';

/** What of a rule decides. */
export interface Rule {
  condition: InventoryCondition;
  scope: InventoryScope;
  action: (typeof inventoryActions)[number];
}

/** What is the same of an app on all devices. */
export interface GroupFacts {
  kind: AppKind;
  name: string;
  catalog_id: string | null;
}

/** What differs. */
export interface AppFacts {
  version: string | null;
  risk_flags: readonly string[];
  path: string;
}

export interface DeviceFacts {
  id: string;
  user_group: string | null;
}

/** May the rule find an app of this group, whatever its version and flags? */
export function concerns({ condition }: Pick<Rule, 'condition'>, group: GroupFacts): boolean {
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

/** Why the rule finds this app, of a group that it concerns, in words; null where it does not. */
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

/** A catalog id as it is, or a name with `*` for anything in it, in any case. */
function names(patterns: readonly string[], { kind, name, catalog_id }: GroupFacts): boolean {
  const bare = kind === 'mcp_server' ? withoutRegistry(name) : name;
  return patterns.some((one) => one === catalog_id || fits(one, name) || fits(one, bare));
}

/** The name of a package of a public registry: a rule need not say of which. */
const withoutRegistry = (name: string): string => name.replace(/^(npm|pypi|docker):/, '');

/** Pieces in order, the first at the beginning and the last at the end: no regular expression to explode. */
export function fits(pattern: string, name: string): boolean {
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

/** As long as Guard takes names. */
const LONGEST_NAME = 253;

/**
 * By which names Guard blocks an app: its id in the catalog, by which devices know its processes. Of
 * others a command-line tool is its file, and an MCP server its package; none is told for the rest.
 */
export function processesOf({ kind, name, catalog_id }: GroupFacts, { path }: AppFacts): string[] {
  if (catalog_id !== null) return [catalog_id];
  const own = kind === 'cli' ? path : kind === 'mcp_server' ? packageOf(name) : '';
  return own !== '' && own.length <= LONGEST_NAME ? [own] : [];
}

/**
 * By which a device knows the processes of a package: its name, also of one of another registry. Empty
 * for an address, and for a name with the program beside it.
 */
function packageOf(name: string): string {
  const other = /^(?:https?:\/\/\S+|another registry) ([^\s()]+)$/.exec(name)?.[1];
  const bare = other ?? withoutRegistry(name);
  return /[:\s]/.test(bare) ? '' : bare;
}
