import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withAsar } from './asar-file.ts';
import { asar } from './testing/asar.ts';
import { makeRoot } from './testing/fixtures.ts';

async function packageIn(bytes: Buffer) {
  await using root = await makeRoot({ '/app.asar': bytes });
  const path = join(root.dir, 'app.asar');
  return (await withAsar(path, (archive) => archive.read('package.json')))?.toString();
}

const archive = asar({ 'main.js': 'x'.repeat(3001), 'package.json': '{"name":"acme"}' });

test('a file of an archive is read', async () => {
  expect(await packageIn(archive)).toBe('{"name":"acme"}');
});

test.each<[string, Buffer]>([
  ['without the file', asar({ 'main.js': '' })],
  ['that is empty', Buffer.alloc(0)],
  ['of another kind', Buffer.from('PK'.repeat(40))],
  ['that ends in its table', archive.subarray(0, 40)],
  ['with a table of four gigabytes', Buffer.alloc(64, 0xff)],
])('nothing is read from an archive %s', async (_, bytes) => {
  expect(await packageIn(bytes)).toBeUndefined();
});

test('nothing is read from a file whose stated size exceeds that of any package', async () => {
  const bytes = Buffer.from(archive);
  bytes.write('"size":9000000', bytes.lastIndexOf('"size":15'), 'latin1');
  expect(await packageIn(bytes)).toBeUndefined();
});

test("the locations of the app's own code are found, without libraries", async () => {
  const files = { 'out/main/index.js': 'ab', 'out/page.html': 'c', 'out/node_modules/x.js': 'd' };
  await using root = await makeRoot({ '/app.asar': asar({ ...files, 'other/x.js': 'e' }) });
  const places = await withAsar(join(root.dir, 'app.asar'), async (archive) =>
    archive.filesIn(['out', 'missing'], (name) => name.endsWith('.js')),
  );
  expect(places).toEqual([{ offset: expect.any(Number) as number, size: 2 }]);
});
