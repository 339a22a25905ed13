import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkshop, type Workshop } from '../testing/workshop.ts';
import { inspectPackage, type InspectOptions } from './inspect-package.ts';
import { craftArchive, type CraftedArchive } from './testing/craft-archive.ts';
import {
  craftComponent,
  type CraftedComponent,
  craftDistribution,
  craftProduct,
  sampleEntries,
} from './testing/craft-component.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await createWorkshop();
});
afterAll(() => workshop[Symbol.asyncDispose]());

let count = 0;
async function inspect(bytes: Uint8Array, options: InspectOptions = { allowUnsigned: true }) {
  const path = await workshop.write(`package-${(count += 1)}`, bytes);
  return inspectPackage(path, options);
}

async function problemsOf(archive: Partial<CraftedArchive>, options?: InspectOptions) {
  const bytes = await craftArchive({ files: craftProduct(), ...archive });
  return (await inspect(bytes, options)).problems;
}

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
      'the header says sha256',
    ],
    [
      'a table too large',
      { editHeader: (it) => it.writeBigUInt64BE(1n << 40n, 16) },
      'table of contents of 1099511627776 bytes inflated',
    ],
    [
      'a table larger than stated',
      { editHeader: (it) => it.writeBigUInt64BE(100n, 16) },
      'table of contents: inflates to more than the stated 100 bytes',
    ],
    [
      'a table smaller than stated',
      { editHeader: (it) => it.writeBigUInt64BE(100_000n, 16) },
      'not 100000',
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
      'XML with a document type',
    ],
    [
      'a checksum elsewhere',
      { editToc: (it) => it.replace('<offset>0<', '<offset>1<') },
      'its checksum is at 1',
    ],
    [
      'a checksum of another style',
      { editToc: (it) => it.replace('style="sha1"', 'style="crc32"') },
      'checksum of style "crc32"',
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
    const message = 'heap: nothing refers to 12 bytes at 20';
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
      /^table of contents: sha1 [0-9a-f]{40} differs from [0-9a-f]{40} that is stored$/,
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
    ['another size', { size: '<size>3</size>' }, 'decodes to more than the stated 3 bytes'],
    ['a larger size', { size: '<size>99999</size>' }, 'bytes, not 99999'],
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

describe('the contents', () => {
  const changed = (path: string, change: object) =>
    sampleEntries.map((entry) => (entry.path === path ? { ...entry, ...change } : entry));
  const run = './X.app/run';
  const extra = (entry: CraftedComponent['entries'] & object) => [...sampleEntries, ...entry];

  test.each<[string, CraftedComponent, string]>([
    [
      'a checksum other than in Bom',
      { entries: changed(run, { bom: { checksum: 456 } }) },
      'com.example.app.pkg/Payload: ./X.app/run: checksum 2512906546 differs from 456 in Bom',
    ],
    [
      'a mode other than in Bom',
      { entries: changed(run, { bom: { mode: 0o100644 } }) },
      'Payload: ./X.app/run: mode 100755 differs from 100644 in Bom',
    ],
    [
      'a size other than in Bom',
      { entries: changed(run, { bom: { size: 5 } }) },
      'Payload: ./X.app/run: size 17 differs from 5 in Bom',
    ],
    [
      'a link to elsewhere than in Bom',
      { entries: changed('./X.app/link', { bom: { target: 'nur' } }) },
      'Payload: ./X.app/link: link target run differs from nur in Bom',
    ],
    [
      'a kind other than in Bom',
      {
        entries: [
          ...changed('./X.app/empty', { only: 'bom' }),
          { path: './X.app/empty', mode: 0o120755, only: 'cpio' },
        ],
      },
      'Payload: ./X.app/empty: a link, in Bom a file',
    ],
    [
      'a path that is not in Bom',
      { entries: extra([{ path: './more', mode: 0o100644, only: 'cpio' }]) },
      'Payload: ./more is packed and not in Bom',
    ],
    [
      'a path that is only in Bom',
      { entries: extra([{ path: './more', mode: 0o100644, only: 'bom' }]) },
      'Payload: ./more is in Bom and not packed',
    ],
    [
      'an absolute path',
      { entries: extra([{ path: '/etc/x', mode: 0o100644, bom: { path: './x' } }]) },
      'Payload: /etc/x: an absolute path',
    ],
    [
      'a path that leads out',
      { entries: extra([{ path: './X.app/../../x', mode: 0o100644, bom: { path: './x' } }]) },
      'Payload: ./X.app/../../x: a path that leads elsewhere',
    ],
    [
      'a path below a link',
      {
        entries: extra([
          { path: './l', mode: 0o120755, content: '/etc' },
          { path: './l/x', mode: 0o100644, content: '' },
        ]),
      },
      'Payload: ./l/x comes before its folder',
    ],
    [
      'a device',
      { entries: extra([{ path: './disk', mode: 0o060644, only: 'cpio' }]) },
      'Payload: ./disk: a device or another special file',
    ],
    [
      'the same path twice',
      { entries: extra([{ path: run, mode: 0o100755, only: 'cpio' }]) },
      'Payload: ./X.app/run occurs twice',
    ],
    [
      'another count than stated',
      { payload: { files: 6 } },
      'PackageInfo: numberOfFiles 6 differs from 5 in Payload',
    ],
    [
      'another size than stated',
      { payload: { kilobytes: 100 } },
      'PackageInfo: installKBytes 100 is not between 0 and 20',
    ],
    [
      'bytes behind the cpio archive',
      { editCpio: (it) => Buffer.concat([it, Buffer.from('x')]) },
      'Payload: bytes follow the end of the cpio archive',
    ],
    [
      'zeros without end behind the cpio archive',
      { editCpio: (it) => Buffer.concat([it, Buffer.alloc(1024 * 1024)]) },
      'Payload: bytes follow the end of the cpio archive',
    ],
    ['a cpio archive that is cut', { editCpio: (it) => it.subarray(0, -50) }, 'bytes too early'],
    [
      'another cpio format',
      {
        editCpio: (it) => Buffer.from(it.toString('latin1').replace('070707', '070701'), 'latin1'),
      },
      'Payload: not a cpio archive (odc)',
    ],
    [
      'a payload of another kind',
      { editGzip: () => Buffer.from('pbzx and so on') },
      'Payload: compressed as pbzx (xz), which is not read here',
    ],
    [
      'bytes behind the gzip stream',
      { editGzip: (it) => Buffer.concat([it, Buffer.alloc(9)]) },
      'Payload: 9 bytes follow what is compressed',
    ],
    [
      'a damaged gzip stream',
      { editGzip: (it) => it.subarray(0, -4) },
      'Payload: is damaged: it does not decompress',
    ],
    [
      'a damaged Bom',
      { editBom: (it) => it.subarray(0, -9) },
      'Bom: the table of variables is out of bounds',
    ],
    ['no Bom', { editBom: () => Buffer.from('Bom') }, 'Bom: does not begin with "BOMStore"'],
    ['no script', { scripts: [{ path: '.', mode: 0o40755 }] }, './postinstall is stated'],
    [
      'a script that cannot run',
      {
        scripts: [
          { path: '.', mode: 0o40755 },
          { path: './postinstall', mode: 0o100644, content: '' },
        ],
      },
      'Scripts: ./postinstall is not executable',
    ],
    [
      'another identifier than referred to',
      { identifier: 'com.example.other' },
      'Distribution: com.example.app.pkg is com.example.other, referred to as com.example.app',
    ],
  ])('with %s are rejected', async (_, component, problem) => {
    expect((await problemsOf({ files: craftProduct(component) })).join('\n')).toContain(problem);
  });

  test('that unpack to more than the Bom allows are not unpacked', async () => {
    // The header of an entry of 8 GiB, followed by only a few zeros.
    const editCpio = (cpio: Buffer) => {
      const size = cpio.indexOf('./X.app/run') - 11;
      cpio.write('77777777777', size, 'latin1');
      return Buffer.concat([cpio, Buffer.alloc(16 * 1024 * 1024)]);
    };
    expect((await problemsOf({ files: craftProduct({ editCpio }) }))[0]).toContain(
      './X.app/run: size 8589934591 differs from 17 in Bom',
    );
  });

  test('outside the package are rejected', async () => {
    const refer = (reference: string) =>
      problemsOf({ files: [craftDistribution(reference), ...craftComponent()] });
    expect(await refer('#other.pkg')).toEqual([
      'Distribution: com.example.app is to be in other.pkg, which does not exist',
    ]);
    expect(await refer('http://example.com/x.pkg')).toEqual([
      'Distribution: com.example.app lies outside of this package, at http://example.com/x.pkg',
    ]);
  });

  test('that Distribution does not refer to are reported', async () => {
    const files = [...craftProduct(), ...craftComponent({ folder: 'other.pkg/' })];
    const { unreferenced, problems } = await inspect(await craftArchive({ files }));
    expect(problems).toEqual([]);
    expect(unreferenced).toEqual(['other.pkg: Distribution does not refer to this component']);
  });

  test('that are missing are rejected', async () => {
    expect((await problemsOf({ files: [craftDistribution()] }))[0]).toBe(
      'PackageInfo: is missing, so there is nothing to install',
    );
    const [bom, ...others] = craftComponent();
    expect((await problemsOf({ files: [craftDistribution(), ...others] }))[0]).toContain(
      'Bom: is missing, so Payload cannot be verified',
    );
    const withoutPayload = [bom, ...others].filter((file) => !file?.path.endsWith('Payload'));
    expect(
      (await problemsOf({ files: [craftDistribution(), ...(withoutPayload as [])] }))[0],
    ).toContain('Payload: is missing, but PackageInfo or Bom refer to it');
  });
});

test('reports in one line why a file cannot be read', async () => {
  await expect(inspectPackage(workshop.path('nothing'))).rejects.toThrow(
    /^\S+nothing cannot be read: ENOENT$/,
  );
  await mkdir(workshop.path('folder'));
  await expect(inspectPackage(workshop.path('folder'))).rejects.toThrow(/folder is not a file$/);
  await writeFile(workshop.path('empty'), '');
  expect((await inspectPackage(workshop.path('empty'))).problems).toEqual([
    'header: the file ends at byte 0, before the 28 bytes at 0 that it should hold',
  ]);
});
