import { afterEach, beforeEach } from 'vitest';
import { heldTransactions } from '#control-plane/storage/held-transactions.ts';

// The caller is far below the stack frames of Kysely.
Error.stackTraceLimit = 40;

const held: Error[] = [];
heldTransactions.subscribe((error) => held.push(error as Error));

/** Returns the errors that were reported since the last call. */
export const takeReportedErrors = (): Error[] => held.splice(0);

/** Fails the test in which a SQLite transaction has waited for anything but the database. */
const failIfHeld = (): void => {
  const [first] = takeReportedErrors();
  if (first) throw first;
};

// Also checks the hooks of a file before its first test.
beforeEach(failIfHeld);
afterEach(failIfHeld);
