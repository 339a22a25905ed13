import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { createProblems } from './problems.ts';

function collect(level: 'info' | 'error') {
  const lines: string[] = [];
  const log = createLog({
    level,
    write: (line) => void lines.push(line),
    now: () => Date.UTC(2026, 10, 21, 2, 3, 4, 567),
  });
  return { lines, log, problems: createProblems(log) };
}

test('a problem is logged once, again when it changes, and once when it ends', () => {
  const { lines, problems } = collect('info');
  problems.set('enroll', ['401 unauthorized']);
  problems.set('enroll', ['401 unauthorized']);
  problems.set('enroll', ['cannot reach 127.0.0.1:1']);
  problems.set('inventory', ['a', 'b']);
  problems.set('inventory', ['b']);
  expect(problems.list()).toEqual(['enroll: cannot reach 127.0.0.1:1', 'inventory: b']);
  expect(problems.list(['enroll', 'channel'])).toEqual(['inventory: b']);
  problems.set('enroll');
  problems.set('enroll');
  expect(problems.list()).toEqual(['inventory: b']);
  expect(lines).toEqual([
    '2026-11-21T02:03:04Z error enroll: 401 unauthorized\n',
    '2026-11-21T02:03:04Z error enroll: cannot reach 127.0.0.1:1\n',
    '2026-11-21T02:03:04Z error inventory: a\n',
    '2026-11-21T02:03:04Z error inventory: b\n',
    '2026-11-21T02:03:04Z info enroll: works again\n',
  ]);
});

test('the log level suppresses lower levels', () => {
  const { lines, log } = collect('error');
  log.warn('hm');
  log.info('hello');
  log.error('no');
  expect(lines).toEqual(['2026-11-21T02:03:04Z error no\n']);
});

test('a hidden secret is neither logged nor listed', () => {
  const { lines, log, problems } = collect('info');
  log.addSecret('svc_sk_secret');
  log.info('key svc_sk_secret');
  problems.set('enroll', ['the service does not know svc_sk_secret']);
  expect(lines.join('') + problems.list().join('')).not.toContain('svc_sk_secret');
  expect(problems.list()).toEqual(['enroll: the service does not know [secret]']);
});
