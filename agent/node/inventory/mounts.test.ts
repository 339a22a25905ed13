import { expect, test } from 'vitest';
import { isResponsive } from './file-servers.ts';
import { mountOf, readMountInfo, readMountOutput } from './mounts.ts';

test('mounts of Linux are parsed, with blanks in names and optional fields', () => {
  const text = `22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
36 22 0:31 / /home/ada\\040b rw,relatime shared:9 master:2 - nfs4 server:/export/ada rw,vers=4.2
37 22 0:32 / /net rw - autofs auto.net rw,fd=7
`;
  expect(readMountInfo(text)).toEqual([
    { path: '/', type: 'ext4' },
    { path: '/home/ada b', type: 'nfs4' },
    { path: '/net', type: 'autofs' },
  ]);
});

test('mounts of macOS are parsed from the output of mount(8)', () => {
  const text = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//ada@server/Team (old) on /Volumes/Team (old) (smbfs, nodev, nosuid, mounted by ada)
`;
  expect(readMountOutput(text)).toEqual([
    { path: '/', type: 'apfs' },
    { path: '/System/Volumes/Data/home', type: 'autofs' },
    { path: '/Volumes/Team (old)', type: 'smbfs' },
  ]);
});

test.each([
  ['/home/ada/x', 'cifs'],
  ['/home/ada', 'cifs'],
  ['/home/adam', 'ext4'],
  ['/', 'ext4'],
])('%s is on %s', (path, type) => {
  const mounts = [
    { path: '/home/ada', type: 'autofs' },
    { path: '/', type: 'ext4' },
    { path: '/home/ada', type: 'cifs' },
  ];
  expect(mountOf(mounts, path)?.type).toBe(type);
});

test('a folder may respond, be missing, or never respond', async () => {
  expect(await isResponsive('/')).toBe(true);
  expect(await isResponsive('/nowhere')).toBe(true);
  const neverEnds = ['/bin/sh', '-c', 'exec sleep 600'];
  expect(await isResponsive('/', 20, neverEnds)).toBe(false);
});
