import { describe, expect, test } from 'vitest';
import { craftArchive } from './testing/craft-archive.ts';
import {
  craftComponent,
  type CraftedComponent,
  craftDistribution,
  craftProduct,
  sampleEntries,
} from './testing/craft-component.ts';
import { setUpInspection } from './testing/set-up-inspection.ts';

const { inspect, problemsOf } = setUpInspection();

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
      'Payload: ./X.app/empty: is a link, but a file in Bom',
    ],
    [
      'a path that is not in Bom',
      { entries: extra([{ path: './more', mode: 0o100644, only: 'cpio' }]) },
      'Payload: ./more is in Payload, but not in Bom',
    ],
    [
      'a path that is only in Bom',
      { entries: extra([{ path: './more', mode: 0o100644, only: 'bom' }]) },
      'Payload: ./more is in Bom, but not in Payload',
    ],
    [
      'an absolute path',
      { entries: extra([{ path: '/etc/x', mode: 0o100644, bom: { path: './x' } }]) },
      'Payload: /etc/x: the path is absolute',
    ],
    [
      'a path that leads out',
      { entries: extra([{ path: './X.app/../../x', mode: 0o100644, bom: { path: './x' } }]) },
      'Payload: ./X.app/../../x: the path leaves the destination folder',
    ],
    [
      'a path below a link',
      {
        entries: extra([
          { path: './l', mode: 0o120755, content: '/etc' },
          { path: './l/x', mode: 0o100644, content: '' },
        ]),
      },
      'Payload: ./l/x does not follow its parent folder',
    ],
    [
      'a device',
      { entries: extra([{ path: './disk', mode: 0o060644, only: 'cpio' }]) },
      'Payload: ./disk: not a file, folder or symbolic link',
    ],
    [
      'the same path twice',
      { entries: extra([{ path: run, mode: 0o100755, only: 'cpio' }]) },
      'Payload: ./X.app/run occurs twice',
    ],
    [
      'another count than stated',
      { payload: { files: 6 } },
      'PackageInfo: numberOfFiles 6 differs from the 5 in Payload',
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
    ['a cpio archive that is cut', { editCpio: (it) => it.subarray(0, -50) }, 'is truncated'],
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
      'Payload: compressed as pbzx (xz), which is not supported',
    ],
    [
      'bytes behind the gzip stream',
      { editGzip: (it) => Buffer.concat([it, Buffer.alloc(9)]) },
      'Payload: 9 bytes follow the compressed data',
    ],
    [
      'a damaged gzip stream',
      { editGzip: (it) => it.subarray(0, -4) },
      'Payload: is damaged: it cannot be decompressed',
    ],
    [
      'a damaged Bom',
      { editBom: (it) => it.subarray(0, -9) },
      'Bom: the table of variables is out of bounds',
    ],
    ['no Bom', { editBom: () => Buffer.from('Bom') }, 'Bom: does not begin with "BOMStore"'],
    [
      'no script',
      { scripts: [{ path: '.', mode: 0o40755 }] },
      './postinstall is named in PackageInfo',
    ],
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

  test('that would unpack to more than the Bom allows are not unpacked', async () => {
    // The header is that of an entry of 8 GiB, followed by only a few zeros.
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
      'Distribution: com.example.app is outside this package, at http://example.com/x.pkg',
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
