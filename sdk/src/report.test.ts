import { expect, test } from 'vitest';
import { createReporter } from './report.ts';

function console_() {
  const lines: string[] = [];
  const log = (line: string): number => lines.push(line);
  return { lines, log: { warn: log, debug: log } };
}

test('without onError, one warning for each kind of problem', () => {
  const { lines, log } = console_();
  const report = createReporter({ onError: undefined, debug: false }, log);
  report.problem('refused', 'no');
  report.problem('refused', 'no again');
  report.problem('dropped', 'full');
  report.debug('unseen');
  expect(lines).toEqual(['svc-observe: no', 'svc-observe: full']);
});

test('onError is told each time, and may fail', () => {
  const { lines, log } = console_();
  const told: unknown[] = [];
  const onError = (error: Error): never => {
    told.push(error);
    throw new Error('in onError');
  };
  const report = createReporter({ onError, debug: false }, log);
  report.problem('refused', 'no');
  report.problem('refused', 'no again');
  expect(told).toMatchObject([{ code: 'refused', message: 'no' }, { message: 'no again' }]);
  expect(lines).toEqual([]);
});

test('debugging shows all', () => {
  const { lines, log } = console_();
  const report = createReporter({ onError: () => undefined, debug: true }, log);
  report.problem('refused', 'no');
  report.debug('sent');
  expect(lines).toEqual(['svc-observe: refused: no', 'svc-observe: sent']);
});
