import { expect, test } from 'vitest';
import { json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];
const ADA = '/home/ada';

const many = (count: number, file: (i: number) => readonly [string, FakeFile]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));

const extension = (i: number) =>
  [`${ADA}/.vscode/extensions/acme.a${i}-1.0.0/package.json`, '{}'] as const;

const desktopApps = (count: number): Record<string, FakeFile> =>
  Object.assign(
    {},
    ...Array.from({ length: count }, (_, i) => ({
      [`/opt/a${i}/a`]: program(),
      [`/opt/a${i}/resources/app.asar`]: 'x',
      [`/usr/share/applications/a${1000 + i}.desktop`]: `[Desktop Entry]\nType=Application\nName=A\nExec=/opt/a${i}/a\n`,
    })),
  ) as Record<string, FakeFile>;

/** Of each search that ends at a limit: the files, and the path that is reported as not read. */
test.each<[string, Record<string, FakeFile>, string]>([
  [
    'models of Ollama',
    many(2001, (i) => [
      `${ADA}/.ollama/models/manifests/registry.ollama.ai/library/m${i}/latest`,
      '{}',
    ]),
    `${ADA}/.ollama/models/manifests/`,
  ],
  [
    'models of Hugging Face',
    many(2001, (i) => [`${ADA}/.cache/huggingface/hub/models--a--m${i}/x`, '']),
    `${ADA}/.cache/huggingface/hub/`,
  ],
  [
    'models of Docker',
    {
      [`${ADA}/.docker/models/models.json`]: json({ models: Array.from({ length: 2001 }) }),
    },
    `${ADA}/.docker/models/models.json`,
  ],
  ['extensions of VS Code', many(1001, extension), `${ADA}/.vscode/extensions/`],
  [
    'layers of containers',
    many(501, (i) => [`/var/lib/docker/overlay2/l${i}/diff/x`, '']),
    '/var/lib/docker/overlay2/',
  ],
  ['programs of Go', many(501, (i) => [`${ADA}/go/bin/p${i}`, '']), `${ADA}/go/bin/`],
  [
    'crates',
    {
      [`${ADA}/.cargo/.crates.toml`]: `[v1]\n${Array.from(
        { length: 501 },
        (_, i) => `"c${i} 1.0.0 (registry)" = ["c${i}"]`,
      ).join('\n')}\n`,
    },
    `${ADA}/.cargo/`,
  ],
  [
    'packages of npm',
    many(1001, (i) => [`${ADA}/.npm-global/lib/node_modules/p${i}/package.json`, '{}']),
    `${ADA}/.npm-global/lib/node_modules/`,
  ],
  [
    'packages of pip',
    many(1001, (i) => [`${ADA}/.local/lib/python3.12/site-packages/p${i}.dist-info/x`, '']),
    `${ADA}/.local/lib/`,
  ],
  ['archives of apps', desktopApps(201), '/usr/share/applications/a1200.desktop'],
])('apps beyond the limit of %s do not count as gone', async (_, files, path) => {
  await using root = await makeRoot(files);
  const { problems, notRead } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(notRead).toEqual([{ kind: null, path, reason: expect.stringContaining('more than') }]);
  expect(problems).toHaveLength(1);
});
