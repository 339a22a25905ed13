import { channel } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers';
import type { DatabaseConnection, Driver } from 'kysely';

/**
 * Reports every SQLite transaction that waited for something other than the database, as an Error
 * with the stack of its beginning. SQLite has one writing connection, so all other writes wait for
 * it. Its queries run synchronously, so a transaction that only queries ends within one turn of the
 * event loop. The tests subscribe and fail (`test/support/no-held-transactions.ts`).
 */
export const heldTransactions = channel('gatehouse:held-transaction');

/** Watches the transactions of a driver whose queries run synchronously. */
export function reportHeld(driver: Driver): Driver {
  const watched = new WeakMap<DatabaseConnection, NodeJS.Immediate>();
  const begin = driver.beginTransaction.bind(driver);
  const release = driver.releaseConnection.bind(driver);
  driver.beginTransaction = async (connection, settings) => {
    await begin(connection, settings);
    if (!heldTransactions.hasSubscribers) return;
    const error = new Error(
      'a SQLite transaction waited for something other than the database: do that before or after the transaction',
    );
    watched.set(
      connection,
      setImmediate(() => heldTransactions.publish(error)),
    );
  };
  driver.releaseConnection = (connection) => {
    clearImmediate(watched.get(connection));
    return release(connection);
  };
  return driver;
}
