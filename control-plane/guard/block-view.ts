import type { InventoryCondition } from '#contract/inventory-rules.ts';
import type { Block } from './block-queries.ts';

/** Returns the names that rules block, by device, most important first. */
export const namesByDevice = (blocks: readonly Block[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...Map.groupBy(blocks, ({ device_id }) => device_id)].map(
      ([device, of]) => [device, namesInOrder(of)] as const,
    ),
  );

export const namesOf = ({ processes }: Pick<Block, 'processes'>): string[] =>
  JSON.parse(processes) as string[];

type Ordered = Pick<
  Block,
  'rule_id' | 'app_group_id' | 'processes' | 'condition' | 'rule_created_at' | 'app_first_seen'
>;

const namesApps = ({ condition }: Ordered): boolean => {
  const { type, apps } = JSON.parse(condition) as InventoryCondition & { apps?: string[] };
  return type !== 'not_allowed' && (apps ?? []).length > 0;
};

const byAge = (a: Ordered, b: Ordered): number =>
  (a.app_first_seen ?? Infinity) - (b.app_first_seen ?? Infinity) ||
  (a.app_group_id < b.app_group_id ? -1 : 1);

/**
 * Returns the names that rules block on one device, most important first: the names of rules that
 * name apps come before those of catch-all rules. Rules take turns, oldest first, and each begins
 * with the apps that the fleet has had the longest. The many names of one rule therefore do not
 * displace those of another, and newer apps do not displace older ones.
 */
export function namesInOrder(blocks: readonly Ordered[]): string[] {
  const ranked = [...Map.groupBy(blocks, ({ rule_id }) => rule_id).values()].flatMap((of) => {
    const names = new Set(of.toSorted(byAge).flatMap(namesOf));
    const [rule] = of as [Ordered];
    const [catchAll, created] = [Number(!namesApps(rule)), rule.rule_created_at];
    return [...names].map((name, turn) => ({ name, id: rule.rule_id, catchAll, turn, created }));
  });
  ranked.sort(
    (a, b) =>
      a.catchAll - b.catchAll || a.turn - b.turn || a.created - b.created || (a.id < b.id ? -1 : 1),
  );
  return [...new Set(ranked.map(({ name }) => name))];
}

/**
 * Returns a block in the form of Guard's API, which lists it in addition to the layers. `inForce`
 * are the names that the device blocks.
 */
export function blockView(block: Block, inForce: ReadonlySet<string>) {
  const names = namesOf(block);
  return {
    source: `inventory rule ${block.rule_name}`,
    rule_id: block.rule_id,
    rule_name: block.rule_name,
    app_group_id: block.app_group_id,
    app_name: block.app_name,
    blocked_processes: names,
    not_in_force: names.filter((name) => !inForce.has(name)),
  };
}
