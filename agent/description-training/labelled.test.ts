import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { readExamples, readPublished } from './labelled.ts';

function fileWith(...lines: readonly string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-labelled-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'descriptions.jsonl');
  writeFileSync(file, lines.join('\n'));
  return file;
}

const published = (registry: string, name: string, summary: string) =>
  JSON.stringify({ registry, name, summary });

test('published descriptions get their labels, and those without a label are omitted', () => {
  const file = fileWith(
    published('npm', 'openai', 'Calls models'),
    published('npm', 'citty', 'Builds commands'),
    published('npm', 'without-a-label', 'Anything'),
  );
  expect(readPublished([file]).map(({ name, ai }) => [name, ai])).toEqual([
    ['openai', true],
    ['citty', false],
  ]);
});

test('a displayed name is a separate example if the program is not about AI', () => {
  const file = fileWith(published('homebrew-cask', 'MailMate', 'IMAP email client'));
  expect(readPublished([file])).toEqual([
    { name: 'MailMate', summary: 'IMAP email client', keywords: [], ai: false },
    { name: 'MailMate', ai: false, importance: 0.5 },
  ]);
});

test.each([
  ['not JSON', '{', 'not JSON'],
  ['without a name', '{"registry":"npm"}', 'name'],
])('a line that is %s is reported with its file and number', (_, line, reason) => {
  const file = fileWith(published('npm', 'citty', 'Builds commands'), '', line);
  expect(() => readPublished([file])).toThrow(`${file}, line 3: `);
  expect(() => readPublished([file])).toThrow(reason);
});

test('the weights agree with nearly all examples that they were learned from', () => {
  const examples = readExamples();
  const wrong = examples.filter((example) => isAboutAi(example) !== example.ai);
  expect(examples.length).toBeGreaterThan(1000);
  expect(wrong.length / examples.length).toBeLessThan(0.02);
});
