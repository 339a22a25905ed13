import { afterAll, beforeAll, expect } from 'vitest';
import type { databases } from './databases.ts';
import { startTwoTenants, type TwoTenants } from './two-tenants.ts';

// The results of `printf 'Hello {{name}}' | sha256sum`, and of the same for the chat as canonical
// JSON.
export const HELLO = 'Hello {{name}}';
export const errorMatching = (status: number, message: RegExp) => ({
  status,
  message: expect.stringMatching(message) as string,
});

/** Sets up prompts of two tenants. */
export function setUpPrompts(kind: (typeof databases)[number]) {
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
  const promptPath = ({ id }: { id: string }, more: object = {}) => ({
    params: { prompt_id: id, ...more } as never,
  });
  const addVersion = (prompt: { id: string }, body: object = {}) =>
    prompts.createPromptVersion({ ...promptPath(prompt), body: { content: HELLO, ...body } });
  const putLabel = (prompt: { id: string }, label: string, version: number) =>
    prompts.putPromptLabel({ params: { prompt_id: prompt.id, label }, body: { version } });

  return {
    get service() {
      return service;
    },
    get prompts() {
      return prompts;
    },
    get agent() {
      return agent;
    },
    create,
    promptPath,
    addVersion,
    putLabel,
  };
}
