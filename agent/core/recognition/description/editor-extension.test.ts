import { expect, test } from 'vitest';
import { vimPluginIsAboutAi, vscodeExtensionIsAboutAi } from './editor-extension.ts';

test.each<[string, Record<string, unknown>, boolean]>([
  ['category AI', { categories: ['Other', 'AI'] }, true],
  ['category Chat', { categories: ['Chat'] }, true],
  ['a participant of the chat', { contributes: { chatParticipants: [{ id: 'x' }] } }, true],
  ['an MCP provider', { contributes: { mcpServerDefinitionProviders: [{ id: 'x' }] } }, true],
  ['two keywords', { keywords: ['ChatGPT', 'code assistant'] }, true],
  ['one keyword', { keywords: ['ai', 'formatter'] }, false],
  ['the same keyword twice', { keywords: ['ai', 'AI'] }, false],
  ['a tool lent to the chat', { contributes: { languageModelTools: [{ name: 'x' }] } }, false],
  [
    'a tool lent to the chat, and a keyword',
    { contributes: { languageModelTools: [{ name: 'x' }] }, keywords: ['mcp'] },
    true,
  ],
  [
    'a category and a product',
    { categories: ['Machine Learning'], description: 'Notebooks beside Claude' },
    true,
  ],
  ['the category Machine Learning alone', { categories: ['Machine Learning'] }, false],
  [
    'Copilot in a pack, and its own name',
    { extensionPack: ['GitHub.copilot-chat'], name: 'agents-bundle' },
    true,
  ],
  ['Copilot in a pack alone', { extensionPack: ['GitHub.copilot'], name: 'php-pack' }, false],
  ['an empty list of participants', { contributes: { chatParticipants: [] } }, false],
  ['a theme with AI words', { categories: ['Themes'], keywords: ['claude', 'copilot'] }, false],
  ['nothing', {}, false],
  ['malformed fields', { categories: 'AI', keywords: { ai: 1 }, contributes: [] }, false],
])('an extension of VS Code with %s', (_, manifest, expected) => {
  expect(vscodeExtensionIsAboutAi(manifest, 'Formatter')).toBe(expected);
});

test('an extension of VS Code is recognized by its title', () => {
  expect(vscodeExtensionIsAboutAi({}, 'Ollama Autocoder')).toBe(true);
  expect(vscodeExtensionIsAboutAi({ categories: ['Themes'] }, 'Ollama Dark')).toBe(false);
});

test.each([
  ['someone/gpt.nvim', true],
  ['someone/CodeGPT.nvim', true],
  ['someone/vim-ollama', true],
  ['echasnovski/mini.ai', false],
  ['copilot/telescope.nvim', false],
  ['someone/copilot-colors.nvim', false],
  ['someone/vim-airline', false],
])('the Vim plugin %s is about AI: %s', (repository, expected) => {
  expect(vimPluginIsAboutAi(repository)).toBe(expected);
});
