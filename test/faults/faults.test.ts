import { expect, test } from 'vitest';
import { cutConnections } from './cut-connections.ts';
import { killMigrations } from './kill-migrations.ts';

// A few rounds of what `npm run faults` repeats two hundred times.
const ROUNDS = 8;
const LONG = 600_000;

test(
  'if killed during SQLite migrations, the next start continues: a first start, and an upgrade with data',
  async () => {
    expect(await killMigrations(ROUNDS)).toMatchObject({
      firstStarts: ROUNDS / 2,
      upgrades: ROUNDS / 2,
      faults: [],
    });
  },
  LONG,
);

test(
  'connections to PostgreSQL that end under load neither end the process nor lose data',
  async () => {
    expect(await cutConnections(ROUNDS)).toMatchObject({ restarts: 1, faults: [] });
  },
  LONG,
);
