/** How many of each group stay when `limit` is given out evenly: what one leaves, the others get. */
function shares(sizes: readonly number[], limit: number): number[] {
  const given = sizes.map(() => 0);
  let left = limit;
  for (let open = sizes.map((_, i) => i); open.length > 0 && left > 0;) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const i of open) {
      const more = Math.min(each, left, (sizes[i] ?? 0) - (given[i] ?? 0));
      given[i] = (given[i] ?? 0) + more;
      left -= more;
    }
    open = open.filter((i) => (given[i] ?? 0) < (sizes[i] ?? 0));
  }
  return given;
}

/**
 * At most `limit` of the items, in their order, so that many of one group do not push out another:
 * evenly by the first key, within each group by the second, and so on; at last the first ones.
 */
export function fairShare<Item>(
  items: readonly Item[],
  limit: number,
  [key, ...keys]: readonly ((item: Item) => string)[],
): Item[] {
  if (items.length <= limit) return [...items];
  if (!key) return items.slice(0, limit);
  const groups = [...Map.groupBy(items, key).values()];
  const given = shares(
    groups.map((group) => group.length),
    limit,
  );
  const kept = new Set(groups.flatMap((group, i) => fairShare(group, given[i] ?? 0, keys)));
  return items.filter((item) => kept.has(item));
}
