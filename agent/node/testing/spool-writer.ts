import { flowReport } from '#contract/flows.ts';
import { openSpool } from '../reports/spool.ts';
import { flowOf } from './flow.ts';

// A process for tests to kill: appends reports endlessly and prints the id of each stored one.
const [dir = '', prefix = ''] = process.argv.slice(2);
const spool = openSpool({ dir, report: flowReport, maxOpenMs: 5, maxReports: 7 });
let count = 0;

function appendSome(): void {
  for (let i = 0; i < 5; i += 1) {
    const id = `${prefix}-${count++}`;
    if (spool.append(flowOf(id))) process.stdout.write(`${id}\n`);
  }
  setImmediate(appendSome);
}
appendSome();
