import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { onlyCommand, splitCommands, splitWords, wordsOf } from './command-line.ts';

test.each<[string, string[]]>([
  ['npx -y  mcp-x', ['npx', '-y', 'mcp-x']],
  [`a "b c" 'd "e' f\\ g --x="y z"`, ['a', 'b c', 'd "e', 'f g', '--x=y z']],
  ['a "b c', ['a', '"b c']],
  [String.raw`C:\x\npx.cmd -y`, [String.raw`C:\x\npx.cmd`, '-y']],
  ['a ""', ['a', '']],
  ['', []],
])('the words of %s', (line, words) => expect(splitWords(line)).toEqual(words));

test.each<[string, string[][] | undefined]>([
  ['cd /x && npx a; b | c & d', [['cd', '/x'], ['npx', 'a'], ['b'], ['c'], ['d']]],
  ['npx a 2>/dev/null', [['npx', 'a']]],
  ['npx a > "x y" 2>&1 b', [['npx', 'a', 'b']]],
  ['a \\\n b\nc', [['a', 'b'], ['c']]],
  ["echo 'a; b'", [['echo', 'a; b']]],
  ['a $(b)', undefined],
  ['a `b`', undefined],
  ['sh <(curl x)', undefined],
  ['(a)', undefined],
  ["a 'b", undefined],
])('the commands of %j', (line, commands) => expect(splitCommands(line)).toEqual(commands));

test.each<[string, string[] | undefined]>([
  ['cd /x && export A=b && npx a', ['npx', 'a']],
  ['. ~/.nvm/nvm.sh; npx a', ['npx', 'a']],
  ['. /tmp/evil.sh; npx a', undefined],
  ['evil; npx a', undefined],
  ['npx a | evil', undefined],
])('the only command of %s', (line, words) => expect(onlyCommand(line)).toEqual(words));

const APP = '/Applications/My App.app/Contents/MacOS/My App';

test.each<[string, string[], string[]]>([
  ['npx', ['-y', 'a b'], ['npx', '-y', 'a b']],
  ['npx -y a --token x', [], ['npx', '-y', 'a', '--token', 'x']],
  ['npx -y a', ['stdio'], ['npx', '-y', 'a', 'stdio']],
  ['/usr/bin/npx -y a --token x', [], ['/usr/bin/npx', '-y', 'a', '--token', 'x']],
  [APP, ['-x'], [APP, '-x']],
  [`${APP} --token "a b"`, [], [APP, '--token', 'a b']],
  [`"${APP}" --token x`, [], [APP, '--token', 'x']],
  ['"/no/such program --token x" y', [], ['/no/such', 'program', '--token', 'x', 'y']],
])('the words of the command %s with %j', (command, args, words) =>
  expect(wordsOf(command, args, (path) => path === APP)).toEqual(words),
);

test('words of generated lines contain all characters but blanks and quotes', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '=', '-', ' ', '"', "'", ';', '|', '\n') });
  fc.assert(
    fc.property(line, (text) => {
      const plain = text.replaceAll(/["'\s]/g, '');
      expect(
        splitWords(text)
          .join('')
          .replaceAll(/["'\s]/g, ''),
      ).toBe(plain);
      expect(splitCommands(text)?.every((words) => words.length > 0)).not.toBe(false);
    }),
  );
});
