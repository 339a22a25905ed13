import { expect, test } from 'vitest';
import { listLink } from './list-link.ts';

const bounds = { start: '2026-03-01T00:00:00.000Z', end: '2026-03-02T00:00:00.000Z' };
const TIME = '&start=2026-03-01T00%3A00%3A00.000Z&end=2026-03-02T00%3A00%3A00.000Z';

test.each([
  ['cost', 'model', {}, 'gpt-4o', '/llm-calls?model=gpt-4o'],
  ['cost', 'user', {}, 'ada', '/runs?user=ada'],
  ['cost', 'model', { tag: ['eu', 'b'] }, 'm', '/runs?tag=eu&tag=b&model=m'],
  ['failed_runs', 'agent', {}, 'a&b', '/runs?agent=a%26b&status=error'],
  ['runs', 'api_key', {}, 'key_1', '/runs?api_key=key_1'],
  [
    'verdicts',
    'action',
    { agent: 'a' },
    'block',
    '/incidents?tab=evaluations&agent=a&action=block',
  ],
] as const)('%s by %s with %j links from %s to %s', (measure, group_by, filters, key, link) => {
  const query = {
    measure,
    group_by,
    filters: { ...filters, ...('tag' in filters ? { tag: [...filters.tag] } : {}) },
  };
  expect(listLink(query as Parameters<typeof listLink>[0], bounds, key)).toBe(link + TIME);
});

test('providers, records without a name and scores have no list', () => {
  const of = (group_by: 'provider' | 'user' | 'score', key: string | null) =>
    listLink({ measure: 'cost', group_by, filters: {} }, bounds, key);
  expect([of('provider', 'openai'), of('user', null), of('score', 'tone')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
