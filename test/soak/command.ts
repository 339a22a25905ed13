/**
 * `npm run soak -- [minutes]`: sends all kinds of traffic through capture, and prints a line of
 * measurements at every pause.
 */
import builtProgram from '../support/processes.ts';
import { takeArguments } from '../support/take-arguments.ts';
import { type RoundFigures, soak, sum } from './soak.ts';

const USAGE = 'usage: npm run soak -- [minutes], 90 unless said';
const ROUND_SECONDS = 50;

const minutes = Number(takeArguments({ usage: USAGE, most: 1 })[0] ?? 90);
if (!Number.isSafeInteger(minutes) || minutes < 1) {
  console.error(USAGE);
  process.exit(1);
}

function show(figures: RoundFigures): void {
  const { round, counts, captures, rssMb, descriptors, sockets, slowestMs, changes } = figures;
  const time = new Date().toISOString().slice(11, 19);
  console.log(
    `${time} round ${round}: ${sum(counts)} exchanges, the slowest took ${slowestMs} ms, ${captures} in the database; agent ${rssMb} MB, ${descriptors} descriptors, ${sockets} of them sockets; ${changes.join(', ')}`,
  );
}

await builtProgram();
const summary = await soak({ rounds: minutes, roundSeconds: ROUND_SECONDS, onRound: show });
const { rounds, counts, excused, segments, restarts, violations } = summary;
console.log(`${rounds.length} rounds, ${sum(counts)} exchanges: ${JSON.stringify(counts)}`);
console.log(
  `agent ${rounds.map(({ rssMb }) => rssMb).join(' ')} MB; ${restarts.controlPlane} restarts of the control plane, ${restarts.agent} of the agent with ${excused} exchanges cut; ${segments} segments of the spool read; ${violations.length} violations`,
);
for (const violation of violations) console.error(violation);
process.exitCode = violations.length > 0 ? 1 : 0;
