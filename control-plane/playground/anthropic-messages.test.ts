import { expect, test } from 'vitest';
import type { ChatMessage } from '#contract/prompt-content.ts';
import { anthropicMessages } from './anthropic-messages.ts';

const text = (said: string) => ({ type: 'text' as const, text: said });
const image = (url: string) => ({ type: 'image_url', image_url: { url } });

test.each<[string, ChatMessage[], object]>([
  ['no system', [{ role: 'user', content: 'Hi' }], { messages: [{ role: 'user', content: 'Hi' }] }],
  [
    'what the system says, wherever it stands',
    [
      { role: 'system', content: 'One.' },
      { role: 'user', content: 'Hi', name: 'ada' },
      { role: 'developer', content: [text('Two.'), text('Three.')] },
    ],
    { system: 'One.\n\nTwo.\nThree.', messages: [{ role: 'user', content: 'Hi' }] },
  ],
  [
    'images',
    [
      {
        role: 'user',
        content: [
          text('Look'),
          image('https://p.test/1.png'),
          image('data:image/png;base64,aGk='),
          { type: 'document', source: { type: 'text' } },
        ],
      },
    ],
    {
      messages: [
        {
          role: 'user',
          content: [
            text('Look'),
            { type: 'image', source: { type: 'url', url: 'https://p.test/1.png' } },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            { type: 'document', source: { type: 'text' } },
          ],
        },
      ],
    },
  ],
])('%s', (_what, messages, expected) => {
  expect(anthropicMessages(messages)).toEqual(expected);
});
