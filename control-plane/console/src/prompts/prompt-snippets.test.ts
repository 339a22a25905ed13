import { expect, test } from 'vitest';
import { promptSnippets } from './prompt-snippets.ts';

const ORIGIN = 'https://control.example';
const textOf = (id: string, target: object) =>
  promptSnippets({ url: ORIGIN, name: 'greeting', variables: [], ...target }).find(
    (one) => one.id === id,
  )?.text;

test('each program contains the prompt, the label or version, and the variables', () => {
  const target = { label: 'production', variables: ['name', 'city-name'] };
  expect(textOf('curl', target)).toContain(
    `'${ORIGIN}/api/v1/observe/prompts/greeting/?label=production'`,
  );
  expect(textOf('typescript', target)).toContain('getPrompt("greeting", { label: "production" })');
  expect(textOf('typescript', target)).toContain(`compile({ "name": '…', "city-name": '…' })`);
  expect(textOf('python', target)).toContain('get_prompt("greeting", label="production")');
  expect(textOf('python', target)).toContain('compile(**{"name": "…", "city-name": "…"})');
  expect(textOf('python', { version: 3 })).toContain('get_prompt("greeting", version=3)');
  expect(textOf('typescript', {})).toContain('getPrompt("greeting");');
});

test('quotes in a name do not end the string that contains it', () => {
  const name = `it's "quoted" $(x)`;
  expect(textOf('curl', { name })).toContain(`/it%27s%20%22quoted%22%20%24(x)/'`);
  expect(textOf('typescript', { name })).toContain(String.raw`getPrompt("it's \"quoted\" $(x)")`);
});
