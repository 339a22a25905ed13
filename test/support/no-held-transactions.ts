import { afterEach, beforeEach } from 'vitest';
import { heldTransactions } from '#control-plane/storage/held-transactions.ts';

// The caller is far below Kysely's own frames.
Error.stackTraceLimit = 40;

const held: Error[] = [];
heldTransactions.subscribe((error) => held.push(error as Error));

/** What was reported since this was last called. */
export const takeHeld = (): Error[] => held.splice(0);

/** Fails the test in which a SQLite transaction waited for something else than the database. */
const failIfHeld = (): void => {
  const [first] = takeHeld();
  if (first) throw first;
};

// Also what a file's hooks did before its first test.
beforeEach(failIfHeld);
afterEach(failIfHeld);
