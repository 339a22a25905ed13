import { describe, expect, test } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { errorMatching, HELLO, setUpPrompts } from '../support/prompts.ts';

const HELLO_HASH = '652b7c016734eedbef52857a9b0ed99076468635861e3a29201b847f71e86da7';
const CHAT = [{ role: 'user' as const, content: 'Hi' }];
const CHAT_HASH = '557f6d9586f57ae72d24a7d34f47ed219efecbc197894dfead83851aaa02e87f';

const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

describe.each(databases)('prompts on %s', (kind) => {
  const world = setUpPrompts(kind);
  const { create, promptPath, addVersion, putLabel } = world;

  test('a version merges its config over the previous one; versions are listed newest first', async () => {
    const prompt = await create({ config: { model: 'gpt-4o', temperature: 0.2 } });
    const long = 'x'.repeat(5000);
    const added = await addVersion(prompt, {
      content: long,
      config: { temperature: 0.9, seed: 1 },
    });
    expect(added).toEqual({
      version: 2,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      commit_message: '',
      created_by: OWNER.email,
      created_at: isTime,
    });
    await addVersion(prompt, { commit_message: 'back' });
    await putLabel(prompt, 'production', 2);
    const { results, count } = await world.prompts.listPromptVersions(promptPath(prompt));
    expect(count).toBe(3);
    expect(
      results.map(({ version, labels, commit_message }) => [version, labels, commit_message]),
    ).toEqual([
      [3, [], 'back'],
      [2, ['production'], ''],
      [1, [], 'Initial version'],
    ]);
    expect(results.map(({ config }) => config)).toEqual([
      { model: 'gpt-4o', temperature: 0.9, seed: 1 },
      { model: 'gpt-4o', temperature: 0.9, seed: 1 },
      { model: 'gpt-4o', temperature: 0.2 },
    ]);
    expect(results[0]?.content_hash).toBe(HELLO_HASH);
    expect(results[1]?.content_preview).toHaveLength(200);
    const second = await world.prompts.getPromptVersion(promptPath(prompt, { version_num: '2' }));
    expect(second).toMatchObject({ content: long, labels: ['production'] });
  });

  test('a version keeps the type of its prompt', async () => {
    const prompt = await create();
    await expect(addVersion(prompt, { content: CHAT })).rejects.toMatchObject(
      errorMatching(400, /^content: expected a string/),
    );
    await expect(addVersion(prompt, { prompt_type: 'chat' })).rejects.toMatchObject(
      errorMatching(400, /Unrecognized key/),
    );
    // The rejected version used no number.
    expect((await addVersion(prompt)).version).toBe(2);
  });

  test('fifty concurrent versions are numbered consecutively', async () => {
    const prompt = await create({ config: { n: 0 } });
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, n) => addVersion(prompt, { content: `v${n}`, config: { n } })),
    );
    const numbers = added.map(({ version }) => version).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    const detail = await world.prompts.getPrompt(promptPath(prompt));
    expect(detail).toMatchObject({ latest_version: 51, version_count: 51 });
    const stored = new Map(detail.versions.map((version) => [version.version, version]));
    for (const [n, { version, content_hash }] of added.entries())
      expect(stored.get(version)).toMatchObject({
        content_hash,
        content_preview: `v${n}`,
        config: { n },
      });
  });

  test('a label is created, moved and removed', async () => {
    const prompt = await create();
    await addVersion(prompt);
    const at = { label: 'production', prompt_id: prompt.id };
    expect([
      await putLabel(prompt, 'production', 1),
      await putLabel(prompt, 'production', 2),
      await putLabel(prompt, 'production', 2),
    ]).toEqual([
      { ...at, version: 1, created: true },
      { ...at, version: 2, created: false },
      { ...at, version: 2, created: false },
    ]);
    const moved = await world.prompts.getPrompt(promptPath(prompt));
    expect(moved.versions.map(({ labels }) => labels)).toEqual([['production'], []]);
    await expect(putLabel(prompt, 'production', 3)).rejects.toMatchObject(
      errorMatching(404, /^the prompt has no version 3$/),
    );
    await expect(putLabel(prompt, 'two words', 1)).rejects.toMatchObject(
      errorMatching(400, /^label: expected up to 100 letters/),
    );
    await expect(putLabel(prompt, 'production', 0)).rejects.toMatchObject(
      errorMatching(400, /^version/),
    );
    const remove = () => world.prompts.deletePromptLabel({ params: at });
    expect(await remove()).toBeUndefined();
    await expect(remove()).rejects.toMatchObject(errorMatching(404, /no label "production"$/));
    expect((await world.prompts.getPrompt(promptPath(prompt))).labels).toEqual([]);
  });

  test('a label that is created concurrently is created once', async () => {
    const prompt = await create();
    const put = await Promise.all(Array.from({ length: 10 }, () => putLabel(prompt, 'canary', 1)));
    expect(put.filter(({ created }) => created)).toHaveLength(1);
  });

  test('agents fetch a version, otherwise a label, otherwise the newest version', async () => {
    const prompt = await create({ config: { model: 'gpt-4o' }, name: 'Für alle: 100 % & mehr?' });
    const chat = await create({ prompt_type: 'chat', content: CHAT });
    await addVersion(prompt, { content: 'second' });
    await addVersion(prompt, { content: 'third' });
    await putLabel(prompt, 'production', 2);
    await putLabel(prompt, 'best', 2);
    const params = { name: prompt.name };
    const contentOf = async (query: object) =>
      (await world.agent.fetchPrompt({ params, query })).content;
    expect(await world.agent.fetchPrompt({ params, query: { version: 1 } })).toEqual({
      name: prompt.name,
      version: 1,
      prompt_type: 'text',
      content: HELLO,
      config: { model: 'gpt-4o' },
      labels: [],
      content_hash: HELLO_HASH,
    });
    expect(await world.agent.fetchPrompt({ params, query: { label: 'production' } })).toMatchObject(
      {
        version: 2,
        labels: ['best', 'production'],
      },
    );
    expect([
      await contentOf({}),
      await contentOf({ label: 'production' }),
      await contentOf({ version: 1, label: 'production' }),
      await contentOf({ version: 1, label: 'nothing' }),
    ]).toEqual(['third', 'second', HELLO, HELLO]);
    expect(await world.agent.fetchPrompt({ params: { name: chat.name }, query: {} })).toMatchObject(
      {
        prompt_type: 'chat',
        content: CHAT,
        content_hash: CHAT_HASH,
      },
    );
  });
});
