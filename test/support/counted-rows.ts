import type { KyselyPlugin } from 'kysely';
import type { Storage } from '#control-plane/storage/open.ts';

/** Wraps a storage; records how many rows each transaction writes. */
export function countRows(storage: Storage): { storage: Storage; written: number[] } {
  const written: number[] = [];
  const transaction: Storage['transaction'] = (work) =>
    storage.transaction(async (tx) => {
      let count = 0;
      const writes = new WeakSet<object>();
      const plugin: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          if (node.kind !== 'SelectQueryNode') writes.add(queryId);
          return node;
        },
        transformResult({ result, queryId }) {
          if (writes.has(queryId))
            count += Math.max(Number(result.numAffectedRows ?? 0n), result.rows.length);
          return Promise.resolve(result);
        },
      };
      const result = await work({ ...tx, db: tx.db.withPlugin(plugin) });
      written.push(count);
      return result;
    });
  return { storage: { ...storage, transaction }, written };
}
