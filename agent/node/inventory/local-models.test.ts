import { truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { json, makeRoot, type FakeFile } from './testing/fixtures.ts';
import { formatSize } from './local-models.ts';
import { scanInventory } from './testing/scan.ts';

const homes = [{ user: 'ada', dir: '/home/ada' }];

/** `sizes`: the apparent sizes of large files, which use no space. */
async function found(files: Record<string, FakeFile>, sizes: Record<string, number> = {}) {
  await using root = await makeRoot({
    ...files,
    ...Object.fromEntries(Object.keys(sizes).map((path) => [path, ''])),
  });
  for (const [path, size] of Object.entries(sizes)) await truncate(`${root.dir}${path}`, size);
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  return { models: apps.filter((app) => app.kind === 'local_model'), problems };
}

const GIGABYTE = 1000 ** 3;
const HUB = '/home/ada/.cache/huggingface/hub/models--acme--tiny';
const MANIFESTS = 'models/manifests/registry.ollama.ai';

test('models of every store are reported with name, size and format', async () => {
  const { models, problems } = await found(
    {
      [`/home/ada/.ollama/${MANIFESTS}/library/llama3.2/3b`]: json({
        layers: [{ size: 2 * GIGABYTE }, { size: 1000 }, { size: 'x' }, null],
      }),
      [`/usr/share/ollama/.ollama/${MANIFESTS}/acme/own/latest`]: json({ layers: [{ size: 5e8 }] }),
      [`${HUB}/snapshots/abc/model.safetensors`]: { link: '../../blobs/1' },
      '/home/ada/.docker/models/models.json': json({
        models: [{ tags: ['ai/smollm2:latest'], config: { format: 'gguf' } }],
      }),
    },
    {
      [`${HUB}/blobs/1`]: 3 * GIGABYTE,
      '/home/ada/.lmstudio/models/acme/mini-GGUF/mini-Q4.gguf': GIGABYTE,
      '/home/ada/.lmstudio/models/acme/mini-GGUF/mmproj-x.gguf': GIGABYTE,
      '/home/ada/.cache/llama.cpp/acme_mini.gguf': GIGABYTE,
      '/home/ada/.local/share/nomic.ai/GPT4All/orca.gguf': GIGABYTE,
      '/home/ada/.config/Jan/data/llamacpp/models/jan-v1/model.gguf': GIGABYTE,
    },
  );
  expect(
    models.map((app) => [app.name, app.catalog_id, app.user, ...app.evidence.slice(1)]),
  ).toEqual([
    ['acme/own:latest', 'ollama', null, 'format: gguf', 'size: 500.0 MB'],
    ['acme/tiny', null, 'ada', 'format: safetensors', 'size: 3.0 GB'],
    ['acme_mini', 'llama-cpp', 'ada', 'format: gguf', 'size: 1.0 GB'],
    ['ai/smollm2:latest', 'docker-model-runner', 'ada', 'format: gguf'],
    ['jan-v1', 'jan', 'ada', 'format: gguf', 'size: 1.0 GB'],
    ['llama3.2:3b', 'ollama', 'ada', 'format: gguf', 'size: 2.0 GB'],
    ['mini-GGUF', 'lm-studio', 'ada', 'format: gguf', 'size: 1.0 GB'],
    ['orca', 'gpt4all', 'ada', 'format: gguf', 'size: 1.0 GB'],
  ]);
  expect(problems).toEqual([]);
});

test('vocabularies, partial downloads, configurations and other data are not models', async () => {
  const { models, problems } = await found(
    {
      [`${HUB}/snapshots/abc/config.json`]: '{}',
      '/home/ada/.ollama/models/manifests/registry.ollama.ai/library/x/y': 'not json',
      '/home/ada/.ollama/models/manifests/registry.ollama.ai/library/x/z': '{"layers": 3}',
      '/home/ada/.docker/models/models.json': json({ models: [{ tags: [3] }, null] }),
      '/home/ada/.cache/huggingface/hub/datasets--acme--x/snapshots/1/a.bin': 'x',
    },
    {
      '/home/ada/llama.cpp/models/ggml-vocab-llama.gguf': 5e6,
      '/home/ada/models/small.gguf': 1000,
      '/home/ada/.lmstudio/models/acme/x/x.gguf.part': GIGABYTE,
      '/home/ada/models/notes.txt': GIGABYTE,
      '/home/ada/Videos/film.bin': GIGABYTE,
    },
  );
  expect({ models, problems }).toEqual({ models: [], problems: [] });
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 kB'],
  [4_700_000_000, '4.7 GB'],
])('%i is %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
