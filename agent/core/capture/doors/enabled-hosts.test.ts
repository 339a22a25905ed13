import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { enabledHosts, isEnabledHost } from './enabled-hosts.ts';

/** Shared with the tests of the extensions. */
const file = new URL('enabled-hosts-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  enabled: string[];
  name: string;
  expected: boolean;
}[];

it.each(vectors)('of $enabled, "$name": $expected', ({ enabled, name, expected }) =>
  expect(isEnabledHost(enabledHosts(enabled), name)).toBe(expected),
);
