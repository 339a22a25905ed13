import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readScript } from './launch-script.ts';

const read = (line: string) => {
  const [executable = '', ...args] = line.split(' ');
  return readScript(executable, args);
};

test.each([
  ['node /x/a.js -e b', { file: '/x/a.js' }],
  ['nodejs a.js', { file: 'a.js' }],
  ['node --inspect=0 -r ./b.js --import c a.js', { file: 'a.js' }],
  ['node -- --a.js', { file: '--a.js' }],
  ['bun run --cwd /x a.ts', { file: 'a.ts' }],
  ['bun a.ts', { file: 'a.ts' }],
  ['deno run -A --config x.json a.ts', { file: 'a.ts' }],
  ['deno run npm:@google/gemini-cli@1.2.3/gemini', { package: '@google/gemini-cli' }],
  ['deno npm:cline', { package: 'cline' }],
  ['python3 a.py', { file: 'a.py' }],
  ['python3.13 -X dev -W error -uB /x/bin/aider', { file: '/x/bin/aider' }],
  ['python -m aider --model x', { module: 'aider' }],
  ['python -Im aider.main', { module: 'aider.main' }],
  ['python -maider', { module: 'aider' }],
  ['pypy3.10 -m llm', { module: 'llm' }],
])('the script of %s', (line, expected) => {
  expect(read(line)).toEqual(expected);
});

test.each([
  'node',
  'node -e code a.js',
  'node --eval code a.js',
  'node -p code',
  'node - a.js',
  'node --test a.js',
  'deno eval code',
  'deno run https://example.org/a.ts',
  'python -c code -m aider',
  'python -Bc code',
  'python -m',
  'python -m /x/secret',
  'vim a.js',
  'python-config --prefix x',
])('%s runs no script', (line) => {
  expect(read(line)).toBeUndefined();
});

test('arguments after the script have no effect', () => {
  const starts = fc.constantFrom('node a.js', 'bun run a.js', 'python3 -m aider', 'python3 a.py');
  fc.assert(
    fc.property(starts, fc.array(fc.string()), (line, others) => {
      const [executable = '', ...args] = line.split(' ');
      expect(readScript(executable, [...args, ...others])).toEqual(readScript(executable, args));
    }),
  );
});
