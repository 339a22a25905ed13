import { expect, test } from 'vitest';
import type { ItemInput } from '#contract/datasets.ts';
import type { PromptContent } from '#contract/prompt-content.ts';
import { prepareInput } from './input-rules.ts';

const user = { role: 'user' as const, content: 'Use {{name}}' };
const system = { role: 'system' as const, content: 'Be {{mood}}.' };

test.each<[string, PromptContent | null, ItemInput, object]>([
  [
    'variables are filled into the prompt',
    'Hello {{name}}',
    { name: 'Ada' },
    { kind: 'variables', content: 'Hello {{name}}', variables: { name: 'Ada' } },
  ],
  [
    'variables need a prompt',
    null,
    { name: 'Ada' },
    { kind: 'impossible', error: 'the item has variables, and the experiment has no prompt' },
  ],
  [
    'messages alone are sent as they are, placeholders too',
    null,
    [user],
    { kind: 'messages', prompt: { content: [user], missing_variables: [] } },
  ],
  [
    'a text comes before messages as instructions',
    'Be {{mood}}.',
    [user],
    { kind: 'messages', prompt: { content: [system, user], missing_variables: ['mood'] } },
  ],
  [
    'a chat comes before messages',
    [system, user],
    [user],
    {
      kind: 'messages',
      prompt: { content: [system, user, user], missing_variables: ['mood', 'name'] },
    },
  ],
])('%s', (_what, content, input, prepared) => {
  expect(prepareInput(content, input)).toEqual(prepared);
});
