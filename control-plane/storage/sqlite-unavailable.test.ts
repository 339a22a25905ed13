import { expect, test } from 'vitest';
import { sqliteUnavailability } from './sqlite-unavailable.ts';

const because = (code: unknown): string | undefined =>
  sqliteUnavailability(Object.assign(new Error('it failed'), { code }));

test.each([
  ['SQLITE_FULL', /is full/],
  ['ENOSPC', /is full/],
  ['EDQUOT', /is full/],
  ['SQLITE_READONLY_DBMOVED', /is read-only/],
  ['EROFS', /is read-only/],
  ['EACCES', /no files can be created/],
  ['EPERM', /no files can be created/],
  ['SQLITE_BUSY', /another program/],
  ['SQLITE_IOERR_WRITE', /failing/],
  ['EIO', /failing/],
])('%s', (code, words) => {
  expect(because(code)).toMatch(words);
});

test.each(['SQLITE_CONSTRAINT_UNIQUE', 'ECONNREFUSED', 5, undefined])(
  '%s is no reason to retry a request',
  (code) => {
    expect(because(code)).toBeUndefined();
  },
);
