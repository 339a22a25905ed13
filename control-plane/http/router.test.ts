import { expect, test } from 'vitest';
import { createRouter } from './router.ts';

const find = createRouter([
  { name: 'prompt', route: { method: 'GET', path: '/prompts/{id}/' } },
  { name: 'prompts', route: { method: 'GET', path: '/prompts/' } },
  { name: 'play', route: { method: 'POST', path: '/prompts/playground/' } },
  { name: 'label', route: { method: 'PUT', path: '/prompts/{id}/labels/{label}/' } },
  { name: 'metrics', route: { method: 'GET', path: '/prompts/{id}/metrics/' } },
  { name: 'words', route: { method: 'GET', path: '/prompts/words/' } },
]);

test.each([
  ['GET', '/prompts/', 'prompts', {}],
  ['GET', '/prompts', 'prompts', {}],
  ['GET', '/prompts/7/', 'prompt', { id: '7' }],
  ['GET', '/prompts/words', 'words', {}],
  ['GET', '/prompts/a%2Fb%20c/metrics/', 'metrics', { id: 'a/b c' }],
  ['PUT', '/prompts/1/labels/production/', 'label', { id: '1', label: 'production' }],
  ['POST', '/prompts/playground/', 'play', {}],
  ['GET', '/prompts/words/metrics/', 'metrics', { id: 'words' }],
  ['GET', '/prompts/playground/', 'prompt', { id: 'playground' }],
  ['PUT', '/prompts/words/labels/words', 'label', { id: 'words', label: 'words' }],
] as const)('%s %s matches %s', (method, path, name, params) => {
  const match = find(method, path);
  expect([match?.served.name, match?.params]).toEqual([name, params]);
});

test.each([
  ['POST', '/prompts/'],
  ['GET', '/prompts//metrics/'],
  ['GET', '/prompts/7/metrics/more/'],
  ['GET', '/Prompts/'],
  ['GET', '/prompts/7//'],
])('%s %s matches no route', (method, path) => {
  expect(find(method, path)).toBeUndefined();
});

test('a malformed parameter is a separate error', () => {
  expect(() => find('GET', '/prompts/%E0%A4%A/')).toThrow(URIError);
});
