import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { setUpPrompts } from '../support/prompts.ts';

describe.each(databases)('prompts on %s', (kind) => {
  const world = setUpPrompts(kind);
  const { create, promptPath, addVersion } = world;

  test('metrics count recorded calls, and content shared by two versions only once', async () => {
    const content = `metrics on ${kind}`;
    const prompt = await create({ content });
    await addVersion(prompt, { content: `${content}, changed` });
    await addVersion(prompt, { content });
    const zero = { call_count: 0, total_tokens: 0, total_cost: 0 };
    expect(await world.prompts.getPromptMetrics(promptPath(prompt))).toMatchObject({
      prompt_id: prompt.id,
      prompt_name: prompt.name,
      totals: zero,
      versions: [
        { version: 3, ...zero },
        { version: 2, ...zero },
        { version: 1, ...zero },
      ],
    });
    const { recording } = world.service.one.byKey;
    const { run_id } = await recording.startRun({ body: { agent_name: 'a' } });
    const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 5, cost: 0.25 };
    const { content_hash } = await world.agent.fetchPrompt({
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
    const metrics = await world.prompts.getPromptMetrics(promptPath(prompt));
    expect(metrics.totals).toEqual({ call_count: 3, total_tokens: 45, total_cost: 0.75 });
    expect(metrics.versions).toMatchObject([
      { version: 3, ...twice },
      { version: 2, content_hash, call_count: 1, total_tokens: 15, total_cost: 0.25 },
      { version: 1, ...twice },
    ]);
    // The count stays, also if the same prompt is created again.
    await world.prompts.deletePrompt(promptPath(prompt));
    const again = await create({ content });
    expect((await world.prompts.getPromptMetrics(promptPath(again))).totals).toEqual(twice);
  });
});
