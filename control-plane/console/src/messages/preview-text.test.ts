import { expect, test } from 'vitest';
import { previewText } from './preview-text.ts';

const chat = JSON.stringify([
  { role: 'system', content: 'You help.' },
  { role: 'user', content: 'Where is\nit?' },
]);

test.each([
  ['Which team?', 'Which team?'],
  ['two\n  lines', 'two lines'],
  [chat, 'Where is it?'],
  [`{"messages":${chat}}`, 'Where is it?'],
  [chat.slice(0, -3), 'Where is it?'],
  [chat.slice(0, -9), 'Where i'],
  ['[{"role":"user","content":[{"type":"text","text":"Say \\"hi\\" \\u00e', 'Say "hi"'],
  ['[{"role":"user","parts":["Gemini', 'Gemini'],
  ['{"role":"assistant","tool_calls":[{"id', '{"role":"assistant","tool_calls":[{"id'],
  ['', ''],
])('%j is shown as %j', (recorded, text) => expect(previewText(recorded)).toBe(text));
