import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

// `printf 'Hello {{name}}' | sha256sum`, and of the chat as canonical JSON.
const HELLO = 'Hello {{name}}';
const HELLO_HASH = '652b7c016734eedbef52857a9b0ed99076468635861e3a29201b847f71e86da7';
const CHAT = [{ role: 'user' as const, content: 'Hi' }];
const CHAT_HASH = '557f6d9586f57ae72d24a7d34f47ed219efecbc197894dfead83851aaa02e87f';

const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const refused = (status: number, message: RegExp) => ({
  status,
  message: expect.stringMatching(message) as string,
});

describe.each(databases)('prompts on %s', (kind) => {
  let service: TwoTenants;
  let prompts: TwoTenants['one']['byOwner']['prompts'];
  let agent: TwoTenants['one']['byKey']['prompts'];
  beforeAll(async () => {
    service = await startTwoTenants(kind);
    ({ prompts } = service.one.byOwner);
    agent = service.one.byKey.prompts;
  });
  afterAll(() => service.stop());

  let made = 0;
  const create = (more: object = {}) =>
    prompts.createPrompt({ body: { name: `prompt ${(made += 1)}`, content: HELLO, ...more } });
  const of = ({ id }: { id: string }, more: object = {}) => ({
    params: { prompt_id: id, ...more } as never,
  });
  const addVersion = (prompt: { id: string }, body: object = {}) =>
    prompts.createPromptVersion({ ...of(prompt), body: { content: HELLO, ...body } });
  const putLabel = (prompt: { id: string }, label: string, version: number) =>
    prompts.putPromptLabel({ params: { prompt_id: prompt.id, label }, body: { version } });
  /** For bodies that the client's types would not let through. */
  const anyBody = (body: unknown) => body as never;

  test('creating answers the prompt with its version 1, and so does reading', async () => {
    const created = await prompts.createPrompt({ body: { name: 'greeting', content: HELLO } });
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
    expect(await prompts.getPrompt(of(created))).toEqual(created);
  });

  test('all that is given is kept', async () => {
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
    expect(await prompts.getPromptVersion(of(prompt, { version_num: '1' }))).toEqual({
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

  test('a list has each prompt once, the last changed first, with its labels', async () => {
    const [first, second] = [await create(), await create({ tags: ['x'] })];
    await addVersion(first);
    await putLabel(first, 'staging', 1);
    await putLabel(first, 'production', 2);
    const { results, count } = await prompts.listPrompts();
    expect(count).toBe(results.length);
    expect(new Set(results.map(({ id }) => id)).size).toBe(count);
    const {
      versions: _versions,
      metadata: _metadata,
      ...shown
    } = await prompts.getPrompt(of(first));
    expect(results.slice(0, 2)).toEqual([
      { ...shown, latest_version: 2, version_count: 2, labels: ['production', 'staging'] },
      expect.objectContaining({ id: second.id, labels: [], tags: ['x'] }),
    ]);
  });

  test('a name is there once in a tenant, also under another id and at the same time', async () => {
    const { name } = await create();
    const other = await create();
    const taken = refused(409, /^name: another prompt is named "prompt \d+"$/);
    await expect(create({ name })).rejects.toMatchObject(taken);
    await expect(prompts.updatePrompt({ ...of(other), body: { name } })).rejects.toMatchObject(
      taken,
    );
    const racing = await Promise.allSettled(
      Array.from({ length: 8 }, () => create({ name: 'raced for' })),
    );
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const elsewhere = await service.other.byOwner.prompts.createPrompt({
      body: { name, content: 'x' },
    });
    expect(elsewhere.name).toBe(name);
    const fetched = (client: typeof agent) => client.fetchPrompt({ params: { name }, query: {} });
    expect((await fetched(service.other.byKey.prompts)).content).toBe('x');
    expect((await fetched(agent)).content).toBe(HELLO);
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
  ])('%j is refused by name', async (body, message) => {
    await expect(prompts.createPrompt({ body: anyBody(body) })).rejects.toMatchObject(
      refused(400, message),
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
  ])('%s is refused: it would not be kept', async (members, message) => {
    const before = (await prompts.listPrompts()).count;
    const response = await fetch(`${service.urls.public}/api/v1/prompts/`, {
      method: 'POST',
      headers: service.one.headers.owner,
      body: `{"name":"odd","content":"x",${members}}`,
    });
    const { error } = (await response.json()) as { error: string };
    expect([response.status, error]).toEqual([400, expect.stringMatching(message)]);
    expect((await prompts.listPrompts()).count).toBe(before);
  });

  test('only what describes a prompt can be changed, and what is not given stays', async () => {
    const prompt = await create({ description: 'old', tags: ['a'], metadata: { a: 1 } });
    const later = Date.now() + 60_000;
    service.setTime(later);
    const changed = await prompts.updatePrompt({
      ...of(prompt),
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
    service.setTime(undefined);
    expect(changed.updated_at).toBe(new Date(later).toISOString());
    expect(
      (await prompts.updatePrompt({ ...of(prompt), body: { description: '' } })).description,
    ).toBe('');
    for (const [body, message] of [
      [{ content: 'x' }, /^content: .*POST a new version to \S+\/versions\/$/],
      [{ config: {} }, /^config: .*POST/],
      [{ prompt_type: 'chat' }, /^prompt_type: the type cannot be changed/],
      [{ tag: [] }, /Unrecognized key: "tag"/],
    ] as const)
      await expect(
        prompts.updatePrompt({ ...of(prompt), body: anyBody(body) }),
      ).rejects.toMatchObject(refused(400, message));
  });

  test('a version lays its config over the one before; versions are listed newest first', async () => {
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
    const { results, count } = await prompts.listPromptVersions(of(prompt));
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
    const second = await prompts.getPromptVersion(of(prompt, { version_num: '2' }));
    expect(second).toMatchObject({ content: long, labels: ['production'] });
  });

  test('a version keeps the type of its prompt', async () => {
    const prompt = await create();
    await expect(addVersion(prompt, { content: CHAT })).rejects.toMatchObject(
      refused(400, /^content: expected a string/),
    );
    await expect(addVersion(prompt, { prompt_type: 'chat' })).rejects.toMatchObject(
      refused(400, /Unrecognized key/),
    );
    // What was refused took no number.
    expect((await addVersion(prompt)).version).toBe(2);
  });

  test('fifty versions at once are numbered one after another', async () => {
    const prompt = await create({ config: { n: 0 } });
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, n) => addVersion(prompt, { content: `v${n}`, config: { n } })),
    );
    const numbers = added.map(({ version }) => version).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    const detail = await prompts.getPrompt(of(prompt));
    expect(detail).toMatchObject({ latest_version: 51, version_count: 51 });
    const stored = new Map(detail.versions.map((version) => [version.version, version]));
    for (const [n, { version, content_hash }] of added.entries())
      expect(stored.get(version)).toMatchObject({
        content_hash,
        content_preview: `v${n}`,
        config: { n },
      });
  });

  test('a label is made, moved and removed', async () => {
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
    const moved = await prompts.getPrompt(of(prompt));
    expect(moved.versions.map(({ labels }) => labels)).toEqual([['production'], []]);
    await expect(putLabel(prompt, 'production', 3)).rejects.toMatchObject(
      refused(404, /^the prompt has no version 3$/),
    );
    await expect(putLabel(prompt, 'two words', 1)).rejects.toMatchObject(
      refused(400, /^label: expected up to 100 letters/),
    );
    await expect(putLabel(prompt, 'production', 0)).rejects.toMatchObject(refused(400, /^version/));
    const remove = () => prompts.deletePromptLabel({ params: at });
    expect(await remove()).toBeUndefined();
    await expect(remove()).rejects.toMatchObject(refused(404, /no label "production"$/));
    expect((await prompts.getPrompt(of(prompt))).labels).toEqual([]);
  });

  test('a label that many make at once is made once', async () => {
    const prompt = await create();
    const put = await Promise.all(Array.from({ length: 10 }, () => putLabel(prompt, 'canary', 1)));
    expect(put.filter(({ created }) => created)).toHaveLength(1);
  });

  test('agents fetch by version, else by label, else the newest', async () => {
    const prompt = await create({ config: { model: 'gpt-4o' }, name: 'Für alle: 100 % & mehr?' });
    const chat = await create({ prompt_type: 'chat', content: CHAT });
    await addVersion(prompt, { content: 'second' });
    await addVersion(prompt, { content: 'third' });
    await putLabel(prompt, 'production', 2);
    await putLabel(prompt, 'best', 2);
    const params = { name: prompt.name };
    const contentOf = async (query: object) => (await agent.fetchPrompt({ params, query })).content;
    expect(await agent.fetchPrompt({ params, query: { version: 1 } })).toEqual({
      name: prompt.name,
      version: 1,
      prompt_type: 'text',
      content: HELLO,
      config: { model: 'gpt-4o' },
      labels: [],
      content_hash: HELLO_HASH,
    });
    expect(await agent.fetchPrompt({ params, query: { label: 'production' } })).toMatchObject({
      version: 2,
      labels: ['best', 'production'],
    });
    expect([
      await contentOf({}),
      await contentOf({ label: 'production' }),
      await contentOf({ version: 1, label: 'production' }),
      await contentOf({ version: 1, label: 'nothing' }),
    ]).toEqual(['third', 'second', HELLO, HELLO]);
    expect(await agent.fetchPrompt({ params: { name: chat.name }, query: {} })).toMatchObject({
      prompt_type: 'chat',
      content: CHAT,
      content_hash: CHAT_HASH,
    });
  });

  test.each([
    ['none of ours', {}, 404, /^there is no prompt named "none of ours"$/],
    ['fetched', { version: 9 }, 404, /^the prompt has no version 9$/],
    ['fetched', { label: 'production' }, 404, /"fetched" has no label "production"$/],
    ['fetched', { version: 'x' }, 400, /^version: /],
    ['fetched', { version: 0 }, 400, /^version: /],
  ])('fetching %j with %j is refused', async (name, query, status, message) => {
    await create({ name: 'fetched' }).catch(() => undefined);
    await expect(
      agent.fetchPrompt({ params: { name }, query: anyBody(query) }),
    ).rejects.toMatchObject(refused(status, message));
  });

  test('a deleted prompt is gone with all that was its, and its name is free', async () => {
    const prompt = await create();
    await addVersion(prompt);
    await putLabel(prompt, 'production', 1);
    expect(await prompts.deletePrompt(of(prompt))).toBeUndefined();
    const asks = [
      () => prompts.getPrompt(of(prompt)),
      () => prompts.deletePrompt(of(prompt)),
      () => agent.fetchPrompt({ params: { name: prompt.name }, query: {} }),
    ];
    for (const ask of asks) await expect(ask()).rejects.toMatchObject({ status: 404 });
    for (const table of ['prompt_versions', 'prompt_labels'] as const) {
      const { db } = service.storage;
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
    ].map((asked) =>
      asked.then(
        () => 'done',
        (error: { status: number }) => error.status,
      ),
    );
  };

  test('a missing prompt and one of another tenant get the same answer', async () => {
    const prompt = await create();
    await putLabel(prompt, 'production', 1);
    const before = await prompts.getPrompt(of(prompt));
    const nothing = Array<number>(9).fill(404);
    expect(await Promise.all(everything(service.other.byOwner.prompts, prompt.id))).toEqual(
      nothing,
    );
    expect(await Promise.all(everything(prompts, 'prm_none'))).toEqual(nothing);
    await expect(
      service.other.byKey.prompts.fetchPrompt({ params: { name: prompt.name }, query: {} }),
    ).rejects.toMatchObject({ status: 404 });
    const others = await service.other.byOwner.prompts.listPrompts();
    expect(others.results.map(({ id }) => id)).not.toContain(prompt.id);
    expect(await prompts.getPrompt(of(prompt))).toEqual(before);
    await expect(prompts.getPromptVersion(of(prompt, { version_num: '2' }))).rejects.toMatchObject(
      refused(404, /^the prompt has no version 2$/),
    );
  });

  test('a viewer reads, and changes nothing', async () => {
    const prompt = await create();
    await putLabel(prompt, 'production', 1);
    const setRole = (role: 'viewer' | 'owner') =>
      service.storage.db
        .updateTable('users')
        .set({ role })
        .where('email', '=', OWNER.email)
        .execute();
    await setRole('viewer');
    const results = await Promise.all(everything(prompts, prompt.id));
    await setRole('owner');
    expect(results).toEqual([...Array<string>(4).fill('done'), ...Array<number>(5).fill(403)]);
  });

  test('metrics count what recording counted, and content that two versions share once', async () => {
    const content = `metrics on ${kind}`;
    const prompt = await create({ content });
    await addVersion(prompt, { content: `${content}, changed` });
    await addVersion(prompt, { content });
    const zero = { call_count: 0, total_tokens: 0, total_cost: 0 };
    expect(await prompts.getPromptMetrics(of(prompt))).toMatchObject({
      prompt_id: prompt.id,
      prompt_name: prompt.name,
      totals: zero,
      versions: [
        { version: 3, ...zero },
        { version: 2, ...zero },
        { version: 1, ...zero },
      ],
    });
    const { recording } = service.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'a' } });
    const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 5, cost: 0.25 };
    const { content_hash } = await agent.fetchPrompt({
      params: { name: prompt.name },
      query: { version: 2 },
    });
    const calls = [
      { ...call, prompt_preview: content },
      { ...call, prompt_preview: content },
      { ...call, prompt_hash: content_hash },
      { ...call, prompt_preview: 'another text' },
      call,
    ];
    await recording.recordLlmCalls({ params: { run_id }, body: { calls } });
    const twice = { call_count: 2, total_tokens: 30, total_cost: 0.5 };
    const metrics = await prompts.getPromptMetrics(of(prompt));
    expect(metrics.totals).toEqual({ call_count: 3, total_tokens: 45, total_cost: 0.75 });
    expect(metrics.versions).toMatchObject([
      { version: 3, ...twice },
      { version: 2, content_hash, call_count: 1, total_tokens: 15, total_cost: 0.25 },
      { version: 1, ...twice },
    ]);
    // What was counted stays, for whoever says the same again.
    await prompts.deletePrompt(of(prompt));
    const again = await create({ content });
    expect((await prompts.getPromptMetrics(of(again))).totals).toEqual(twice);
  });

  test('whatever chat is stored is read back as it was, with the same hash', async () => {
    const text = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((said) => !said.includes('\0'));
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
        const read = await prompts.getPromptVersion(
          of(prompt, { version_num: String(again.version) }),
        );
        expect(read.content).toEqual(content);
        expect(again.content_hash).toBe(first.content_hash);
      }),
      { numRuns: 20 },
    );
  });
});
