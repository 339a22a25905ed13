import { appOfProcess } from '#agent/core/recognition/app-of-process.ts';
import { observeFlows } from '#agent/node/flows/observer.ts';

// The agent's flow observer as a separate process, with the state file as argument 1. It sends each
// report to its parent, and ends with the parent.
await observeFlows({
  stateFile: process.argv[2] ?? '',
  exclude: () => [],
  appOf: appOfProcess,
  onReport: (report) => process.send?.({ report }),
  onProblem: (problem) => process.send?.({ problem }),
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
