import type { Block } from './block-queries.ts';

/** The names that rules block, on each device that has some. */
export const namesByDevice = (blocks: readonly Block[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...Map.groupBy(blocks, ({ device_id }) => device_id)].map(
      ([device, of]) => [device, of.flatMap(namesOf)] as const,
    ),
  );

export const namesOf = ({ processes }: Pick<Block, 'processes'>): string[] =>
  JSON.parse(processes) as string[];

/** As Guard shows a block, beside the layers. */
export const shownBlock = (block: Block) => ({
  source: `inventory rule ${block.rule_name}`,
  rule_id: block.rule_id,
  rule_name: block.rule_name,
  app_group_id: block.app_group_id,
  app_name: block.app_name,
  blocked_processes: namesOf(block),
});
