import { observeFlows } from '../observer.ts';

// An observer as a separate process, so that a test can kill it. Argument 1 is the state file.
// Writes one line of JSON for each report or problem.
process.stdout.on('error', () => process.exit()); // the reader has exited
const writeLine = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

await observeFlows({
  stateFile: process.argv[2] ?? '',
  intervalMs: 50,
  reportIntervalMs: 50,
  exclude: () => [],
  appOf: () => undefined,
  onReport: (report) => writeLine({ report }),
  onProblem: (problem) => writeLine({ problem }),
});
writeLine({ ready: true });
