import { globSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { extractMessagesFromFiles } from '@lingui/native-tools';
import { beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const files = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.ts$|^testing\//.test(path))
  .map((path) => join(root, path));

let extracted: Awaited<ReturnType<typeof extractMessagesFromFiles>>;

beforeAll(async () => {
  extracted = await extractMessagesFromFiles(files);
});

test('every message is extracted', () => {
  expect(extracted.warnings).toEqual([]);
  expect(extracted.messages.length).toBeGreaterThan(1000);
});

test('every message is one that the browser can read', () => {
  const broken = extracted.messages.flatMap(({ message = '' }) => {
    try {
      compileMessageOrThrow(message);
      return [];
    } catch (error) {
      return [`${message}: ${String(error)}`];
    }
  });
  expect(broken).toEqual([]);
});

test('no message is half of a sentence that begins or ends with a space', () => {
  const halves = extracted.messages.filter(({ message = '' }) => /^\s|\s$/.test(message));
  expect(halves.map(({ message, origin }) => `${origin?.filename}: ${message}`)).toEqual([]);
});
