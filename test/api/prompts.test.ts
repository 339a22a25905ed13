import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import type { TwoTenants } from '../support/two-tenants.ts';
import { errorMatching, HELLO, setUpPrompts } from '../support/prompts.ts';

const HELLO_HASH = '652b7c016734eedbef52857a9b0ed99076468635861e3a29201b847f71e86da7';
const CHAT = [{ role: 'user' as const, content: 'Hi' }];
const CHAT_HASH = '557f6d9586f57ae72d24a7d34f47ed219efecbc197894dfead83851aaa02e87f';

const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

describe.each(databases)('prompts on %s', (kind) => {
  const world = setUpPrompts(kind);
  const { create, promptPath, addVersion, putLabel } = world;

  /** Allows bodies that the client's types would reject. */
  const anyBody = (body: unknown) => body as never;

  test('creating and reading return the prompt with version 1', async () => {
    const created = await world.prompts.createPrompt({
      body: { name: 'greeting', content: HELLO },
    });
    expect(created).toEqual({
      id: expect.stringMatching(/^prm_\w+$/) as string,
      name: 'greeting',
      description: '',
      prompt_type: 'text',
      tags: [],
      metadata: {},
      latest_version: 1,
      version_count: 1,
      labels: [],
      created_at: isTime,
      updated_at: created.created_at,
      archived_at: null,
      versions: [
        {
          version: 1,
          content_preview: HELLO,
          config: {},
          content_hash: HELLO_HASH,
          commit_message: 'Initial version',
          created_by: OWNER.email,
          labels: [],
          created_at: created.created_at,
        },
      ],
    });
    expect(await world.prompts.getPrompt(promptPath(created))).toEqual(created);
  });

  test('all given fields are stored', async () => {
    const given = {
      description: 'Answers',
      tags: ['support', 'eu'],
      metadata: { team: { id: 7 } },
      config: { model: 'gpt-4o', temperature: 0, max_tokens: 5, top_p: 0.5 },
      commit_message: 'First try',
    };
    const prompt = await create({ prompt_type: 'chat', content: CHAT, ...given });
    const { description, tags, metadata } = given;
    expect(prompt).toMatchObject({ prompt_type: 'chat', description, tags, metadata });
    expect(await world.prompts.getPromptVersion(promptPath(prompt, { version_num: '1' }))).toEqual({
      prompt_id: prompt.id,
      prompt_name: prompt.name,
      prompt_type: 'chat',
      version: 1,
      content: CHAT,
      config: given.config,
      content_hash: CHAT_HASH,
      commit_message: 'First try',
      created_by: OWNER.email,
      labels: [],
      created_at: prompt.created_at,
    });
  });

  test('a list contains each prompt once with its labels, most recently changed first', async () => {
    const [first, second] = [await create(), await create({ tags: ['x'] })];
    await addVersion(first);
    await putLabel(first, 'staging', 1);
    await putLabel(first, 'production', 2);
    const { results, count } = await world.prompts.listPrompts();
    expect(count).toBe(results.length);
    expect(new Set(results.map(({ id }) => id)).size).toBe(count);
    const {
      versions: _versions,
      metadata: _metadata,
      ...shown
    } = await world.prompts.getPrompt(promptPath(first));
    expect(results.slice(0, 2)).toEqual([
      { ...shown, latest_version: 2, version_count: 2, labels: ['production', 'staging'] },
      expect.objectContaining({ id: second.id, labels: [], tags: ['x'] }),
    ]);
  });

  test('names are unique in a tenant, also when renaming and with concurrent requests', async () => {
    const { name } = await create();
    const other = await create();
    const taken = errorMatching(409, /^name: another prompt is named "prompt \d+"$/);
    await expect(create({ name })).rejects.toMatchObject(taken);
    await expect(
      world.prompts.updatePrompt({ ...promptPath(other), body: { name } }),
    ).rejects.toMatchObject(taken);
    const racing = await Promise.allSettled(
      Array.from({ length: 8 }, () => create({ name: 'raced for' })),
    );
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const elsewhere = await world.service.other.byOwner.prompts.createPrompt({
      body: { name, content: 'x' },
    });
    expect(elsewhere.name).toBe(name);
    const fetched = (client: typeof world.agent) =>
      client.fetchPrompt({ params: { name }, query: {} });
    expect((await fetched(world.service.other.byKey.prompts)).content).toBe('x');
    expect((await fetched(world.agent)).content).toBe(HELLO);
  });

  test.each([
    [{ name: 'a' }, /^content: is required$/],
    [{ content: 'a' }, /^name: /],
    [{ name: '', content: 'a' }, /^name: expected 1 to 200/],
    [{ name: 'a/b', content: 'a' }, /^name: expected .* without slashes/],
    [{ name: '..', content: 'a' }, /^name: /],
    [{ name: ' a', content: 'a' }, /^name: /],
    [{ name: 'n'.repeat(201), content: 'a' }, /^name: /],
    [{ name: 'a', content: '' }, /^content: Too small/],
    [{ name: 'a', content: 7 }, /^content: expected text or an array of chat messages$/],
    [{ name: 'a', content: null }, /^content: /],
    [{ name: 'a', content: [], prompt_type: 'chat' }, /^content: Too small/],
    [
      { name: 'a', content: [{ role: 'robot', content: 'x' }], prompt_type: 'chat' },
      /^content: message 0: role: Invalid option: expected one of "system"\|/,
    ],
    [
      { name: 'a', content: [CHAT[0], { role: 'user' }], prompt_type: 'chat' },
      /^content: message 1: content: expected some text, or an array of parts/,
    ],
    [
      { name: 'a', content: [{ role: 'user', content: [{ text: 'x' }] }], prompt_type: 'chat' },
      /^content: message 0: content: expected/,
    ],
    [
      { name: 'a', content: [{ role: 'user', content: [{ type: 'text' }] }], prompt_type: 'chat' },
      /^content\[0\]\.content\[0\]\.type: a text part has/,
    ],
    [{ name: 'a', content: CHAT }, /^content: expected a string, because prompt_type is "text"$/],
    [
      { name: 'a', content: 'x', prompt_type: 'chat' },
      /^content: expected an array of messages, because prompt_type is "chat"$/,
    ],
    [{ name: 'a', content: 'x', prompt_type: 'audio' }, /^prompt_type: /],
    [{ name: 'a', content: 'x', config: { temperature: 3 } }, /^config\.temperature: /],
    [{ name: 'a', content: 'x', config: { max_tokens: 0.5 } }, /^config\.max_tokens: /],
    [{ name: 'a', content: 'x', tags: 'x' }, /^tags: /],
    [{ name: 'a', content: 'x', label: 'production' }, /Unrecognized key: "label"/],
    [{ name: 'a', content: 'x\0' }, /NUL/],
    [[], /^body: /],
  ])('%j is rejected by name', async (body, message) => {
    await expect(world.prompts.createPrompt({ body: anyBody(body) })).rejects.toMatchObject(
      errorMatching(400, message),
    );
  });

  test.each([
    ['"config":{"top_k":1e999}', /^body\.config\.top_k: number out of range$/],
    ['"metadata":{"n":[-1e999]}', /^body\.metadata\.n\[0\]: number out of range$/],
    [
      '"metadata":{"__proto__":{"kept":1}}',
      /^body\.metadata\.__proto__: a member cannot have this/,
    ],
    ['"__proto__":1', /__proto__/],
  ])('%s is rejected because it could not be stored unchanged', async (members, message) => {
    const before = (await world.prompts.listPrompts()).count;
    const response = await fetch(`${world.service.urls.public}/api/v1/prompts/`, {
      method: 'POST',
      headers: world.service.one.headers.owner,
      body: `{"name":"odd","content":"x",${members}}`,
    });
    const { error } = (await response.json()) as { error: string };
    expect([response.status, error]).toEqual([400, expect.stringMatching(message)]);
    expect((await world.prompts.listPrompts()).count).toBe(before);
  });

  test('only descriptive fields can be changed, and omitted ones are kept', async () => {
    const prompt = await create({ description: 'old', tags: ['a'], metadata: { a: 1 } });
    const later = Date.now() + 60_000;
    world.service.setTime(later);
    const changed = await world.prompts.updatePrompt({
      ...promptPath(prompt),
      body: { name: 'renamed', tags: [], metadata: { b: 2 } },
    });
    expect(changed).toMatchObject({
      name: 'renamed',
      description: 'old',
      tags: [],
      metadata: { b: 2 },
      latest_version: 1,
      versions: prompt.versions,
    });
    world.service.setTime(undefined);
    expect(changed.updated_at).toBe(new Date(later).toISOString());
    expect(
      (await world.prompts.updatePrompt({ ...promptPath(prompt), body: { description: '' } }))
        .description,
    ).toBe('');
    for (const [body, message] of [
      [{ content: 'x' }, /^content: .*POST a new version to \S+\/versions\/$/],
      [{ config: {} }, /^config: .*POST/],
      [{ prompt_type: 'chat' }, /^prompt_type: the type cannot be changed/],
      [{ tag: [] }, /Unrecognized key: "tag"/],
    ] as const)
      await expect(
        world.prompts.updatePrompt({ ...promptPath(prompt), body: anyBody(body) }),
      ).rejects.toMatchObject(errorMatching(400, message));
  });

  test.each([
    ['none of ours', {}, 404, /^there is no prompt named "none of ours"$/],
    ['fetched', { version: 9 }, 404, /^the prompt has no version 9$/],
    ['fetched', { label: 'production' }, 404, /"fetched" has no label "production"$/],
    ['fetched', { version: 'x' }, 400, /^version: /],
    ['fetched', { version: 0 }, 400, /^version: /],
  ])('fetching %j with %j is rejected', async (name, query, status, message) => {
    await create({ name: 'fetched' }).catch(() => undefined);
    await expect(
      world.agent.fetchPrompt({ params: { name }, query: anyBody(query) }),
    ).rejects.toMatchObject(errorMatching(status, message));
  });

  test('a deleted prompt is gone with all its data, and its name can be used again', async () => {
    const prompt = await create();
    await addVersion(prompt);
    await putLabel(prompt, 'production', 1);
    expect(await world.prompts.deletePrompt(promptPath(prompt))).toBeUndefined();
    const requests = [
      () => world.prompts.getPrompt(promptPath(prompt)),
      () => world.prompts.deletePrompt(promptPath(prompt)),
      () => world.agent.fetchPrompt({ params: { name: prompt.name }, query: {} }),
    ];
    for (const send of requests) await expect(send()).rejects.toMatchObject({ status: 404 });
    for (const table of ['prompt_versions', 'prompt_labels'] as const) {
      const { db } = world.service.storage;
      const left = await db
        .selectFrom(table)
        .selectAll()
        .where('prompt_id', '=', prompt.id)
        .execute();
      expect(left).toEqual([]);
    }
    expect(await create({ name: prompt.name })).toMatchObject({ latest_version: 1, labels: [] });
  });

  const everything = (client: TwoTenants['one']['byOwner']['prompts'], prompt_id: string) => {
    const params = { prompt_id, label: 'production', version_num: '1' };
    return [
      client.getPrompt({ params }),
      client.listPromptVersions({ params }),
      client.getPromptVersion({ params }),
      client.getPromptMetrics({ params }),
      client.updatePrompt({ params, body: {} }),
      client.createPromptVersion({ params, body: { content: 'x' } }),
      client.putPromptLabel({ params, body: { version: 1 } }),
      client.deletePromptLabel({ params }),
      client.deletePrompt({ params }),
    ].map((response) =>
      response.then(
        () => 'done',
        (error: { status: number }) => error.status,
      ),
    );
  };

  test('a missing prompt and one of another tenant get the same response', async () => {
    const prompt = await create();
    await putLabel(prompt, 'production', 1);
    const before = await world.prompts.getPrompt(promptPath(prompt));
    const nothing = Array<number>(9).fill(404);
    expect(await Promise.all(everything(world.service.other.byOwner.prompts, prompt.id))).toEqual(
      nothing,
    );
    expect(await Promise.all(everything(world.prompts, 'prm_none'))).toEqual(nothing);
    await expect(
      world.service.other.byKey.prompts.fetchPrompt({ params: { name: prompt.name }, query: {} }),
    ).rejects.toMatchObject({ status: 404 });
    const others = await world.service.other.byOwner.prompts.listPrompts();
    expect(others.results.map(({ id }) => id)).not.toContain(prompt.id);
    expect(await world.prompts.getPrompt(promptPath(prompt))).toEqual(before);
    await expect(
      world.prompts.getPromptVersion(promptPath(prompt, { version_num: '2' })),
    ).rejects.toMatchObject(errorMatching(404, /^the prompt has no version 2$/));
  });

  test('a viewer can read but not change prompts', async () => {
    const prompt = await create();
    await putLabel(prompt, 'production', 1);
    const setRole = (role: 'viewer' | 'owner') =>
      world.service.storage.db
        .updateTable('users')
        .set({ role })
        .where('email', '=', OWNER.email)
        .execute();
    await setRole('viewer');
    const results = await Promise.all(everything(world.prompts, prompt.id));
    await setRole('owner');
    expect(results).toEqual([...Array<string>(4).fill('done'), ...Array<number>(5).fill(403)]);
  });

  test('any chat is stored and read back unchanged, with the same hash', async () => {
    const text = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((message) => !message.includes('\0'));
    const message = fc.record({
      role: fc.constantFrom('system', 'developer', 'user', 'assistant'),
      content: fc.oneof(
        text,
        fc.array(fc.record({ type: fc.constant('text'), text }), { minLength: 1 }),
      ),
    });
    const prompt = await create({ prompt_type: 'chat', content: CHAT });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1 }), async (content) => {
        const first = await addVersion(prompt, { content });
        const again = await addVersion(prompt, { content });
        const read = await world.prompts.getPromptVersion(
          promptPath(prompt, { version_num: String(again.version) }),
        );
        expect(read.content).toEqual(content);
        expect(again.content_hash).toBe(first.content_hash);
      }),
      { numRuns: 20 },
    );
  });
});
