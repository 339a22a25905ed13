import { expect, test } from 'vitest';
import { cutConnections } from './cut-connections.ts';
import { killMigrations } from './kill-migrations.ts';

// A few rounds of what `npm run faults` does two hundred times.
const ROUNDS = 8;
const LONG = 600_000;

test(
  'killed while SQLite migrates, the next start goes on: a first start, and an upgrade with data',
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
  'connections to PostgreSQL that end under load end nothing, and lose nothing',
  async () => {
    expect(await cutConnections(ROUNDS)).toMatchObject({ restarts: 1, faults: [] });
  },
  LONG,
);
