import { expect, test } from 'vitest';
import { z } from 'zod';
import { paging, range, sortBy, startBeforeEnd } from './fields.ts';

const query = z.object({ ...range, sort: sortBy(['time', 'cost'], '-time') }).check(startBeforeEnd);

test.each([
  ['2026-02-01', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T10:30', '2026-02-01T10:30:00.000Z'],
  ['2026-02-01T10:30:05.25', '2026-02-01T10:30:05.250Z'],
  ['2026-02-01T10:30:05Z', '2026-02-01T10:30:05.000Z'],
  ['2026-02-01T10:30:05+02:00', '2026-02-01T08:30:05.000Z'],
  ['2026-02-01T10:30:05-05:30', '2026-02-01T16:00:05.000Z'],
])('start=%s is parsed as %s in any server time zone', (start, expected) => {
  expect(new Date(query.parse({ start }).start ?? 0).toISOString()).toBe(expected);
});

test.each([
  [{ start: 'now' }, 'start'],
  [{ start: '' }, 'start'],
  [{ end: '2026-02-30' }, 'end'],
  [{ end: '1767225600000' }, 'end'],
  [{ start: ['2026-01-01', '2026-01-02'] }, 'start'],
  [{ start: '2026-01-02', end: '2026-01-01' }, 'start'],
  [{ sort: '--time' }, 'sort'],
  [{ sort: '+time' }, 'sort'],
])('%j is rejected because of %s', (given, place) => {
  expect(query.safeParse(given).error?.issues.map(({ path }) => path.join())).toEqual([place]);
});

test.each([
  [undefined, { by: 'time', direction: 'desc' }],
  ['cost', { by: 'cost', direction: 'asc' }],
  ['-cost', { by: 'cost', direction: 'desc' }],
])('parses sort=%s', (sort, expected) => {
  expect(query.parse({ sort }).sort).toEqual(expected);
});

const pages = z.object(paging);

test.each([
  [{}, { limit: 25, offset: 0 }],
  [
    { limit: '7', offset: '14' },
    { limit: 7, offset: 14 },
  ],
  [
    { limit: 7, offset: 14 },
    { limit: 7, offset: 14 },
  ],
  [{ limit: '007' }, { limit: 7, offset: 0 }],
  [{ limit: '1000' }, { limit: 100, offset: 0 }],
])('parses the page %j', (given, expected) => {
  expect(pages.parse(given)).toEqual(expected);
});

const strange = ['', ' ', ' 5', '-1', '+1', '1.5', '0x10', '1e1', 'ten', '٣', '9007199254740993'];

test.each([
  ...strange.flatMap((text) => [{ limit: text }, { offset: text }]),
  { limit: '0' },
  { limit: ['1', '2'] },
  { offset: true },
])('the page %j is rejected', (given) => {
  const [name = ''] = Object.keys(given);
  expect(pages.safeParse(given).error?.issues).toMatchObject([
    { path: [name], message: `expected a whole number, at least ${name === 'limit' ? 1 : 0}` },
  ]);
});

test('paging parameters are documented as numbers', () => {
  expect(z.toJSONSchema(pages, { io: 'input' }).properties).toMatchObject({
    limit: { type: 'integer', minimum: 1, default: 25 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  });
});
