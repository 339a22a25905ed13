import { parentPort } from 'node:worker_threads';
import { type ExchangeCopy, type ReportFacts, reportOf } from './exchange-report.ts';

/** One exchange at a time: the thread that relays must not wait for this one. */
parentPort?.on('message', ({ copy, facts }: { copy: ExchangeCopy; facts: ReportFacts }) => {
  reportOf(copy, facts).then(
    (report) => parentPort?.postMessage({ report }),
    () => parentPort?.postMessage({ report: null }),
  );
});
