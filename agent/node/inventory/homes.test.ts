import { expect, test } from 'vitest';
import { makeRoot } from './fixtures.ts';
import { findHomes } from './homes.ts';

test('people, root and accounts of a directory service on Linux', async () => {
  await using root = await makeRoot({
    '/etc/passwd': [
      'root:x:0:0:root:/root:/bin/bash',
      'daemon:x:1:1::/usr/sbin:/usr/sbin/nologin',
      'ollama:x:998:998::/usr/share/ollama:/bin/false',
      'postgres:x:101:104::/var/lib/postgresql:/bin/bash',
      'ada:x:1000:1000:Ada,,,:/home/ada:/bin/zsh',
      'twin:x:1001:1001::/home/ada:/bin/zsh',
      'gone:x:1002:1002::/home/gone:/bin/zsh',
      'slash:x:1003:1003::/:/bin/zsh',
      'share:x:1100:1100::/srv/share:/usr/sbin/nologin',
      'malformed',
      '',
    ].join('\n'),
    '/root/.profile': '',
    '/usr/share/ollama/.ollama': '',
    '/var/lib/postgresql/x': '',
    '/home/ada/.profile': '',
    '/home/corp.user/.profile': '',
    '/home/linuxbrew/.linuxbrew/x': '',
    '/srv/share/x': '',
    '/home/file': '',
    '/home/link': { link: 'ada' },
  });
  expect(await findHomes({ root: root.dir, platform: 'linux' })).toEqual([
    { user: 'ada', dir: '/home/ada' },
    { user: 'corp.user', dir: '/home/corp.user' },
    { user: 'root', dir: '/root' },
  ]);
});

test('people on macOS', async () => {
  await using root = await makeRoot({
    '/Users/ada/x': '',
    '/Users/Shared/x': '',
    '/Users/Guest/x': '',
    '/Users/.localized': '',
    '/var/root/x': '',
  });
  expect(await findHomes({ root: root.dir, platform: 'darwin' })).toEqual([
    { user: 'ada', dir: '/Users/ada' },
    { user: 'root', dir: '/var/root' },
  ]);
});
