import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compareVersions } from '#contract/version-order.ts';
import { readDebianPackages } from './debian-packages.ts';
import { openTree } from './tree.ts';

const root = mkdtempSync(join(tmpdir(), 'debian-packages-'));
afterAll(() => rmSync(root, { recursive: true }));

const stanza = (name: string, status: string, version: string): string =>
  `Package: ${name}\nStatus: install ok ${status}\nVersion: ${version}\n`;

test('versions of installed packages have no epoch, so they compare with those of vendors', async () => {
  mkdirSync(join(root, 'var/lib/dpkg'), { recursive: true });
  const stanzas = [
    stanza('plain', 'installed', '0.9.2'),
    stanza('epoch', 'installed', '1:2.0-1'),
    stanza('colons', 'installed', '2:1:3'),
    stanza('removed', 'config-files', '1.0'),
  ];
  writeFileSync(join(root, 'var/lib/dpkg/status'), stanzas.join('\n'));
  const versions = await readDebianPackages(openTree(root));
  expect(Object.fromEntries(versions)).toEqual({
    plain: '0.9.2',
    epoch: '2.0-1',
    colons: '1:3',
  });
  expect(compareVersions(versions.get('epoch') ?? null, '2.0')).toBe(1);
});
