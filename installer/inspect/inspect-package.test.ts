import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { inspectPackage } from './inspect-package.ts';
import { craftArchive, type CraftedArchive } from './testing/craft-archive.ts';
import { craftComponent, craftDistribution, craftProduct } from './testing/craft-component.ts';
import { setUpInspection } from './testing/set-up-inspection.ts';

const world = setUpInspection();
const { inspect, problemsOf } = world;

describe('a valid package', () => {
  test('is described', async () => {
    const inspection = await inspect(await craftArchive({ files: craftProduct() }));
    expect(inspection).toMatchObject({
      archive: { checksum: { algorithm: 'sha1' }, created: '2026-01-02T03:04:05' },
      product: {
        title: 'X',
        identifier: 'com.example.product',
        version: '1.2.3',
        minimumOs: ['12.0'],
        architectures: ['x86_64', 'arm64'],
        components: [
          { identifier: 'com.example.app', version: '1.2.3', path: 'com.example.app.pkg' },
        ],
      },
      components: [
        {
          path: 'com.example.app.pkg',
          identifier: 'com.example.app',
          version: '1.2.3',
          installLocation: '/Applications',
          files: 5,
          installedSize: 20,
          scripts: ['./postinstall'],
        },
      ],
      signature: null,
      ticket: null,
      unreferenced: [],
      problems: [],
    });
    expect(inspection.components[0]?.payload[3]).toEqual({
      path: './X.app/link',
      size: 3,
      mode: '120755',
      // `printf run | cksum`
      checksum: 3_661_482_925,
      target: 'run',
    });
  });

  test.each(['sha1', 'sha256', 'sha512'] as const)('may use %s', async (digest) => {
    expect(await problemsOf({ digest }, { allowUnsigned: true, strict: true })).toEqual([]);
  });

  test('may be a single component', async () => {
    const files = craftComponent({ folder: '' });
    const { components, notes, problems } = await inspect(await craftArchive({ files }));
    expect(problems).toEqual([]);
    expect(components[0]).toMatchObject({ path: '.', files: 5 });
    expect(notes[1]).toContain('MDM installs product archives only');
  });

  test('is rejected without a signature, unless that is allowed', async () => {
    expect(await problemsOf({}, {})).toEqual(['signature: the package is not signed']);
  });
});

describe('the archive', () => {
  const heapStart = /heap at \d+/;
  test.each<[string, Partial<CraftedArchive>, string]>([
    [
      'another magic',
      { editHeader: (it) => it.write('xar?') },
      'header: not a macOS package (.pkg): it does not begin',
    ],
    ['a longer header', { editHeader: (it) => it.writeUInt16BE(32, 4) }, 'header of 32 bytes'],
    ['version 2', { editHeader: (it) => it.writeUInt16BE(2, 6) }, 'xar version 2, expected 1'],
    ['no checksum', { editHeader: (it) => it.writeUInt32BE(0, 24) }, 'checksum algorithm 0'],
    ['MD5', { editHeader: (it) => it.writeUInt32BE(2, 24) }, 'checksum algorithm 2'],
    [
      'another algorithm',
      { editHeader: (it) => it.writeUInt32BE(3, 24) },
      'the header states sha256',
    ],
    [
      'a table too large',
      { editHeader: (it) => it.writeBigUInt64BE(1n << 40n, 16) },
      'table of contents of 1099511627776 bytes inflated',
    ],
    [
      'a table larger than stated',
      { editHeader: (it) => it.writeBigUInt64BE(100n, 16) },
      'table of contents: decompresses to more than the stated 100 bytes',
    ],
    [
      'a table smaller than stated',
      { editHeader: (it) => it.writeBigUInt64BE(100_000n, 16) },
      'not the stated 100000',
    ],
    [
      'bytes behind the table',
      { editStoredToc: (it) => Buffer.concat([it, Buffer.alloc(3)]) },
      '3 bytes follow the compressed XML',
    ],
    ['no XML', { editToc: () => '<xar' }, 'not well-formed XML'],
    ['other XML', { editToc: () => '<zip/>' }, 'not the XML of a xar archive'],
    [
      'entities',
      { editToc: (it) => it.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>') },
      'XML with a document type declaration',
    ],
    [
      'a checksum elsewhere',
      { editToc: (it) => it.replace('<offset>0<', '<offset>1<') },
      'its checksum is at 1',
    ],
    [
      'a checksum of another style',
      { editToc: (it) => it.replace('style="sha1"', 'style="crc32"') },
      'checksum style "crc32"',
    ],
    [
      'a number that is none',
      { editToc: (it) => it.replace('<size>20<', '<size>-20<') },
      'size "-20" is not a number of bytes',
    ],
    [
      'the same path twice',
      { files: [...craftProduct(), craftDistribution()] },
      'Distribution is listed twice',
    ],
    [
      'a path that leads out',
      { editToc: (it) => it.replace('<name>Distribution<', '<name>..<') },
      '".." is not a valid file name',
    ],
    [
      'a path that leads out, encoded',
      { editToc: (it) => it.replace('<name>Distribution<', '<name enctype="base64">Li4=<') },
      '".." is not a valid file name',
    ],
    [
      'a symbolic link',
      { editToc: (it) => it.replace('<type>file<', '<type>symlink<') },
      'Distribution is of type "symlink"',
    ],
    ['garbage behind it', { tail: Buffer.from('garbage') }, '7 bytes follow the end'],
    [
      'zeros behind it',
      { tail: Buffer.alloc(512) },
      '512 bytes follow the end of the archive and are not a ticket',
    ],
  ])('with %s is rejected', async (_, archive, problem) => {
    const [first] = await problemsOf(archive);
    expect(first).toContain(problem);
    expect(first).not.toMatch(heapStart);
  });

  test('with unreferenced bytes is reported, and rejected in strict mode', async () => {
    const bytes = await craftArchive({ files: craftProduct(), gap: 12 });
    const message = 'heap: 12 unreferenced bytes at offset 20';
    const inspection = await inspect(bytes);
    expect(inspection).toMatchObject({ unreferenced: [message], problems: [] });
    expect((await inspect(bytes, { allowUnsigned: true, strict: true })).problems).toEqual([
      message,
    ]);
  });

  test('with a checksum other than that of its table is rejected', async () => {
    const bytes = await craftArchive({ files: craftProduct() });
    const heap = 28 + Number(bytes.readBigUInt64BE(8));
    bytes.writeUInt8((bytes[heap] as number) ^ 1, heap);
    expect((await inspect(bytes)).problems[0]).toMatch(
      /^table of contents: sha1 [0-9a-f]{40} differs from the stored [0-9a-f]{40}$/,
    );
  });

  test.each([
    ['archived-checksum', 'Distribution: archived sha1'],
    ['extracted-checksum', 'Distribution: extracted sha1'],
  ])('with a wrong %s is rejected', async (name, problem) => {
    const editToc = (xml: string) =>
      xml.replace(new RegExp(`<${name} style="sha1">[^<]+`), `<${name} style="sha1">00`);
    expect((await problemsOf({ editToc }))[0]).toContain(problem);
  });

  test.each<[string, Record<string, string | null>, string]>([
    ['no checksum', { archived: null, extracted: null }, 'has no checksum, so'],
    [
      'an overlap',
      { offset: '<offset>0</offset>' },
      'Distribution overlaps the checksum at byte 0',
    ],
    ['a place outside', { offset: '<offset>999999</offset>' }, 'truncated'],
    ['another size', { size: '<size>3</size>' }, 'decompresses to more than the stated 3 bytes'],
    ['a larger size', { size: '<size>99999</size>' }, 'bytes, not the stated 99999'],
    [
      'another encoding',
      { encoding: '<encoding style="application/x-bzip2"/>' },
      'unsupported encoding application/x-bzip2',
    ],
  ])('a file with %s is rejected', async (_, data, problem) => {
    const files = [{ ...craftDistribution(), data }, ...craftComponent()];
    expect((await problemsOf({ files })).join('\n')).toContain(problem);
  });

  test('is rejected wherever it is truncated', async () => {
    const bytes = await craftArchive({ files: craftProduct() });
    for (let length = 0; length < bytes.length; length += 97) {
      const { problems } = await inspect(bytes.subarray(0, length));
      expect(problems.length, `at ${length}`).toBeGreaterThan(0);
    }
  });
});

test('reports in one line why a file cannot be read', async () => {
  await expect(inspectPackage(world.workshop.path('nothing'))).rejects.toThrow(
    /^\S+nothing cannot be read: ENOENT$/,
  );
  await mkdir(world.workshop.path('folder'));
  await expect(inspectPackage(world.workshop.path('folder'))).rejects.toThrow(
    /folder is not a file$/,
  );
  await writeFile(world.workshop.path('empty'), '');
  expect((await inspectPackage(world.workshop.path('empty'))).problems).toEqual([
    'header: the file ends at byte 0: expected 28 bytes at offset 0',
  ]);
});
