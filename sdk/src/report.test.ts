import { expect, test } from 'vitest';
import { createReporter } from './report.ts';

function console_() {
  const lines: string[] = [];
  const log = (line: string): number => lines.push(line);
  return { lines, log: { warn: log, debug: log } };
}

test('without onError, there is one warning per problem code', () => {
  const { lines, log } = console_();
  const report = createReporter({ onError: undefined, debug: false }, log);
  report.problem('refused', 'no');
  report.problem('refused', 'no again');
  report.problem('dropped', 'full');
  report.debug('unseen');
  expect(lines).toEqual(['svc-observe: no', 'svc-observe: full']);
});

test('onError is called each time, and may throw', () => {
  const { lines, log } = console_();
  const errors: unknown[] = [];
  const onError = (error: Error): never => {
    errors.push(error);
    throw new Error('in onError');
  };
  const report = createReporter({ onError, debug: false }, log);
  report.problem('refused', 'no');
  report.problem('refused', 'no again');
  expect(errors).toMatchObject([{ code: 'refused', message: 'no' }, { message: 'no again' }]);
  expect(lines).toEqual([]);
});

test('debug logs everything', () => {
  const { lines, log } = console_();
  const report = createReporter({ onError: () => undefined, debug: true }, log);
  report.problem('refused', 'no');
  report.debug('sent');
  expect(lines).toEqual(['svc-observe: refused: no', 'svc-observe: sent']);
});
