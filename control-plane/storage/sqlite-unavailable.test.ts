import { expect, test } from 'vitest';
import { sqliteUnavailability } from './sqlite-unavailable.ts';

const because = (code: unknown) =>
  sqliteUnavailability(Object.assign(new Error('it failed'), { code }));

test.each([
  ['SQLITE_FULL', 'storage_full', 'is full'],
  ['ENOSPC', 'storage_full', 'is full'],
  ['EDQUOT', 'storage_full', 'is full'],
  ['SQLITE_READONLY_DBMOVED', 'storage_read_only', 'is read-only'],
  ['EROFS', 'storage_read_only', 'is read-only'],
  ['EACCES', 'storage_read_only', 'no files can be created'],
  ['EPERM', 'storage_read_only', 'no files can be created'],
  ['SQLITE_BUSY', 'database_unavailable', 'another program'],
  ['SQLITE_IOERR_WRITE', 'database_unavailable', 'failing'],
  ['EIO', 'database_unavailable', 'failing'],
])('%s', (code, reason, words) => {
  expect(because(code)).toEqual({ reason, message: expect.stringContaining(words) });
});

test.each(['SQLITE_CONSTRAINT_UNIQUE', 'ECONNREFUSED', 5, undefined])(
  '%s is no reason to retry a request',
  (code) => {
    expect(because(code)).toBeUndefined();
  },
);
