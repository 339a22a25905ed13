import { describe, expect, test } from 'vitest';
import { findCatalogHost } from '../data/catalog.ts';
import { groupHosts, collapseHosts, missingSiblings } from './host-groups.ts';

const host = (host: string, provider: string, name = provider) => ({
  host,
  provider,
  name,
  region: null,
  aliases: [],
});
const catalog = [
  host('api.openai.com', 'OpenAI', 'OpenAI API'),
  host('copilot.example', 'Microsoft', 'Copilot'),
  host('*.openai.azure.com', 'Microsoft', 'Azure OpenAI'),
  host('chatgpt.com', 'OpenAI', 'ChatGPT'),
];

const grouped = (switchedOn: string[], search: string) =>
  groupHosts(catalog, switchedOn, search).map(({ provider, hosts, patterns }) => [
    provider,
    hosts.map(({ host }) => host),
    patterns.map(({ host }) => host),
  ]);

describe('grouping hosts', () => {
  test('groups by provider in catalog order, with patterns separate', () => {
    expect(grouped([], '')).toEqual([
      ['OpenAI', ['api.openai.com', 'chatgpt.com'], []],
      ['Microsoft', ['copilot.example'], ['*.openai.azure.com']],
    ]);
  });

  test('a host that matches a pattern is grouped with its provider; unknown hosts come last', () => {
    expect(grouped(['gone.example', 'acme.openai.azure.com', 'chatgpt.com'], '')).toEqual([
      ['OpenAI', ['api.openai.com', 'chatgpt.com'], []],
      ['Microsoft', ['copilot.example', 'acme.openai.azure.com'], ['*.openai.azure.com']],
      ['Not in the catalog', ['gone.example'], []],
    ]);
  });

  test.each([
    ['CHATgpt', ['OpenAI']],
    [' azure ', ['Microsoft']],
    ['openai', ['OpenAI', 'Microsoft']],
    ['nothing', []],
  ])('the search for %j finds %j', (search, providers) => {
    expect(groupHosts(catalog, [], search).map(({ provider }) => provider)).toEqual(providers);
  });
});

test.each([
  ['api.openai.com', 'OpenAI'],
  ['acme.openai.azure.com', 'Microsoft'],
  ['eu.acme.openai.azure.com', undefined],
  ['openai.azure.com', undefined],
  ['sub.chatgpt.com', undefined],
])('%s belongs to %s', (name, provider) =>
  expect(findCatalogHost(catalog, name)?.provider).toBe(provider),
);

test('a long list is shortened to its first hosts and those that are switched on', () => {
  const many = Array.from({ length: 12 }, (_, at) => host(`h${at}`, 'P'));
  expect(collapseHosts(many, ['h9'], 2).map(({ host }) => host)).toEqual(['h0', 'h1', 'h9']);
  expect(collapseHosts(many.slice(0, 4), [], 2)).toHaveLength(4);
});

test.each([
  [[], ['claude.ai'], []],
  [['api.anthropic.com'], ['claude.ai'], ['api.anthropic.com']],
  [['api.anthropic.com'], ['claude.ai', 'api.anthropic.com'], []],
  [['b.example', '*.c.example', 'd.example'], ['d.example'], ['b.example']],
])('related hosts %j, with %j switched on: %j are missing', (aliases, switchedOn, missing) => {
  expect(missingSiblings({ aliases }, switchedOn)).toEqual(missing);
});
