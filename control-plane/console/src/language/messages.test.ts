import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBabelExtractor } from '@lingui/cli/api/extractors/babel';
import { getConfig } from '@lingui/conf';
import type { ExtractedMessage } from '@lingui/conf';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !/\.test\.ts$|^testing\//.test(path),
);

const messages: ExtractedMessage[] = [];

beforeAll(async () => {
  const linguiConfig = getConfig({ configPath: join(root, '../lingui.config.ts') });
  const extractor = createBabelExtractor();
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8');
    if (code.includes('@lingui/'))
      await extractor.extract(file, code, (message) => messages.push(message), { linguiConfig });
  }
});

test('every message can be compiled', () => {
  expect(messages.length).toBeGreaterThan(1000);
  const broken = messages.flatMap(({ message = '' }) => {
    try {
      compileMessageOrThrow(message);
      return [];
    } catch (error) {
      return [`${message}: ${String(error)}`];
    }
  });
  expect(broken).toEqual([]);
});

test('no message begins or ends with a space, as half a sentence would', () => {
  const halves = messages.filter(({ message = '' }) => /^\s|\s$/.test(message));
  expect(halves.map(({ message, origin }) => `${origin?.[0]}: ${message}`)).toEqual([]);
});
