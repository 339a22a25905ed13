import { chown } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findHomes } from './homes.ts';
import { makeRoot } from './testing/fixtures.ts';

test('homes on Linux include those of users, root and accounts of a directory service', async () => {
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
  expect((await findHomes({ root: root.dir, platform: 'linux' })).homes).toEqual([
    { user: 'ada', dir: '/home/ada' },
    { user: 'corp.user', dir: '/home/corp.user' },
    { user: 'root', dir: '/root' },
  ]);
});

test('homes on macOS include those of users', async () => {
  await using root = await makeRoot({
    '/Users/ada/x': '',
    '/Users/Shared/x': '',
    '/Users/Guest/x': '',
    '/Users/.localized': '',
    '/var/root/x': '',
  });
  expect((await findHomes({ root: root.dir, platform: 'darwin' })).homes).toEqual([
    { user: 'ada', dir: '/Users/ada' },
    { user: 'root', dir: '/var/root' },
  ]);
});

test('homes on file servers may be unmounted, unresponsive or available', async () => {
  await using root = await makeRoot({
    '/etc/passwd': ['ada', 'eve', 'joe', 'kim', 'tim']
      .map((user, i) => `${user}:x:${1000 + i}:1000::/home/${user}:/bin/sh\n`)
      .join(''),
    '/home/ada/x': '',
    '/home/eve/x': '',
    '/net/auto/joe/x': '',
    '/home/joe': { link: '../net/auto/joe' },
    '/net/silent/kim/x': '',
    '/home/kim': { link: '/net/silent/kim' },
    '/home/tim/x': '',
  });
  const readDirs: string[] = [];
  const found = await findHomes({
    root: root.dir,
    platform: 'linux',
    mounts: [
      { path: '/', type: 'ext4' },
      { path: '/home/eve', type: 'nfs4' },
      { path: '/home/tim', type: 'autofs' },
      { path: '/home/tim', type: 'cifs' },
      { path: '/net/auto', type: 'autofs' },
      { path: '/net/silent', type: 'nfs4' },
    ],
    probe: async (dir) => {
      readDirs.push(dir.slice(root.dir.length));
      return !dir.endsWith('/net/silent');
    },
  });
  expect(found).toEqual({
    homes: ['ada', 'eve', 'tim'].map((user) => ({ user, dir: `/home/${user}` })),
    remoteMounts: new Set(['/home/eve', '/home/tim', '/net/auto', '/net/silent']),
    problems: ['/net/silent/kim: its file server does not respond, not searched'],
    notRead: [
      {
        kind: null,
        path: '/net/silent/kim/',
        reason: 'its file server does not respond, not searched',
      },
    ],
  });
  expect(readDirs.toSorted()).toEqual(['/home/eve', '/home/tim', '/net/silent']);
});

test('if all of /home is on an unresponsive server, it is not even listed', async () => {
  await using root = await makeRoot({ '/home/ada/x': '' });
  const mounts = [{ path: '/home', type: 'nfs' }];
  const found = await findHomes({
    root: root.dir,
    platform: 'linux',
    mounts,
    probe: async () => false,
  });
  expect(found).toMatchObject({
    homes: [],
    problems: ['/home: its file server does not respond, not searched'],
    notRead: [
      {
        kind: null,
        path: '/home/',
        reason: 'its file server does not respond, not searched',
      },
    ],
  });
});

test('an agent without root rights scans only the home of its own user', async () => {
  await using root = await makeRoot({ '/home/ada/x': '', '/home/eve/x': '' });
  const uid = 4321;
  const homes = async () =>
    (await findHomes({ root: root.dir, platform: 'linux', uid })).homes.map(({ user }) => user);
  expect(await homes()).toEqual([]);
  if (process.getuid?.() !== 0) return;
  await chown(`${root.dir}/home/ada`, uid, uid);
  expect(await homes()).toEqual(['ada']);
});
