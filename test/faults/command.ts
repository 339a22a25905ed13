/**
 * `npm run faults [rounds]`: injects both kinds of faults, and prints a line of counts for each.
 */
import builtProgram from '../support/processes.ts';
import { takeArguments } from '../support/take-arguments.ts';
import { cutConnections } from './cut-connections.ts';
import { killMigrations } from './kill-migrations.ts';

const USAGE = 'usage: npm run faults [rounds], 200 unless said';

const rounds = Number(takeArguments({ usage: USAGE, most: 1 })[0] ?? 200);
if (!Number.isSafeInteger(rounds) || rounds < 1) {
  console.error(USAGE);
  process.exit(1);
}

const tick = (what: string) => (round: number) => {
  if (round % 20 === 0) console.log(`  ${what}: ${round} of ${rounds}`);
};

await builtProgram();
const kills = await killMigrations(rounds, tick('kills'));
console.log(
  `kill -9 during SQLite migrations: ${kills.rounds} rounds (${kills.firstStarts} first starts, ${kills.upgrades} upgrades with data), ${kills.kills} kills: ${kills.beforeDatabase} before the database was there, ${kills.beforeSchema} before its schema was complete, ${kills.afterSchema} after; ${kills.faults.length} faults`,
);
const cuts = await cutConnections(rounds, tick('cuts'));
console.log(
  `cut PostgreSQL connections under load: ${cuts.rounds} rounds, ${cuts.cut} connections cut (${cuts.inUse} in use), ${cuts.restarts} restarts of the server; ${cuts.calls} calls acknowledged, all there once; answers ${JSON.stringify(cuts.statuses)}; ${cuts.faults.length} faults`,
);
const faults = [...kills.faults, ...cuts.faults];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
