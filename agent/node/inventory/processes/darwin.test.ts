import { expect, test } from 'vitest';
import { readLsof, readPs } from './darwin.ts';

test('the output of lsof with -Fpcn is parsed', () => {
  const output = [
    'p812',
    'cOllama',
    'f3',
    'n127.0.0.1:11434',
    'f4',
    'n[::1]:11434',
    'p990',
    'cnode',
    'f20',
    'n*:3000',
    '',
  ].join('\n');
  expect([...readLsof(output)]).toEqual([
    [
      812,
      [
        { address: '127.0.0.1', port: 11434 },
        { address: '::1', port: 11434 },
      ],
    ],
    [990, [{ address: '0.0.0.0', port: 3000 }]],
  ]);
});

test('the output of ps is parsed: paths may contain spaces', () => {
  const output = `    1 root             /sbin/launchd
  812 ada              /Applications/LM Studio.app/Contents/MacOS/LM Studio
broken
`;
  expect(readPs(output)).toEqual([
    { pid: 1, user: 'root', path: '/sbin/launchd' },
    { pid: 812, user: 'ada', path: '/Applications/LM Studio.app/Contents/MacOS/LM Studio' },
  ]);
});
