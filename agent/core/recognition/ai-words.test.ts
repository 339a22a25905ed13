import { expect, test } from 'vitest';
import {
  bundleIdNamesAi,
  describesAi,
  namesAi,
  packageNamesAi,
  vimPluginNamesAi,
  vscodeManifestNamesAi,
} from './ai-words.ts';

test.each([
  ['ChatGPT Sidebar', true],
  ['Merlin: AI for everything', true],
  ['Copilot Chat', true],
  ['LLM Bench', true],
  ['Noty.ai', true],
  ['Usage4Claude', true],
  ['WardenAI', true],
  ['ChatMCP', true],
  ['Agentic Meetings', true],
  ['Prompt Enhancer', true],
  ['Video Summarizer', true],
  ['Co-pilot for mail', true],
  ['Stealth Ai', true],
  ['ThreadAi - reply faster', true],
  ['Binge ai', true],
  ['Resumidor com IA', true],
  ['Better Prompts', true],
  ['Text Humanizer', true],
  ['Summarize PDFs', true],
  ['PulpoIA', true],
  ['AI Meeting Summaries, no bots', true],
  ['Vagas AI no LinkedIn', true],
  ['No more AI Overviews', false],
  ['Search without AI', false],
  ['YouTube Summary & Transcript', true],
  ['NVIDIA Control', false],
  ['Virtual Ghostwriter', true],
  ['Ai Weiwei New Tab', false],
  ['Aikido Stopwatch', false],
  ['Iowa IA Weather', false],
  ['Ai Slop Blocker', false],
  ['Illustrator .ai preview', false],
  ['GPT Partition Info', false],
  ['GPT fdisk', false],
  ['MBR to GPT', false],
  ['Adobe AI to PDF', false],
  ['Claude Monet New Tab', false],
  ['Air Quality', false],
  ['ai', false],
  ['Maison', false],
  ['MCP3008 Reader', false],
  ['AIMP Remote', false],
  ['Prompt before closing', false],
  ['AI Blocker', false],
  ['Hide AI Overviews', false],
  ['Claude Theme', false],
  ['Copilot Money', false],
])('the name %s is about AI: %s', (name, expected) => {
  expect(namesAi(name)).toBe(expected);
});

test.each([
  ['ai.acme.mac', true],
  ['com.acme.Usage4Claude', true],
  ['acme.WardenAI', true],
  ['com.acme.airplay', false],
  ['com.acme.ai', false],
])('the bundle id %s names AI: %s', (id, expected) => {
  expect(bundleIdNamesAi(id)).toBe(expected);
});

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
  expect(vscodeManifestNamesAi(manifest, 'Formatter')).toBe(expected);
});

test('an extension of VS Code is recognized by its title', () => {
  expect(vscodeManifestNamesAi({}, 'Ollama Autocoder')).toBe(true);
  expect(vscodeManifestNamesAi({ categories: ['Themes'] }, 'Ollama Dark')).toBe(false);
});

test.each<[string, string, unknown, unknown, boolean]>([
  ['name and summary', 'acme-mcp', 'MCP server of Acme', undefined, true],
  ['two keywords', 'acme', 'A tool', ['llm', 'openai'], true],
  ['summary and keyword', 'acme', 'A coding agent; asks an LLM', ['cli', 'ai'], true],
  ['a summary alone', 'wrangle', 'Deploys for people and AI agents', ['deploy'], false],
  ['a keyword alone', 'wrangle', 'Deploys', ['ai', 'deploy'], false],
  ['a name alone', 'maintain-ai', 'Deploys', [], false],
  ['a product of another kind', 'copilot-cli', 'The AWS Copilot CLI deploys containers', [], false],
  ['a part of a word', 'maid', 'Tidies the mail', [], false],
  ['a name that is a phrase', 'acme-ai-translator', 'Translates files', [], true],
  ['a server of MCP by its name', 'acme-mcp', 'Weather of a place', [], true],
  ['a chip called MCP', 'acme-mcp-adc', 'Reads an ADC over SPI', [], false],
  ['a joined name and a summary', 'gptlog', 'Writes a log, beside Claude', [], true],
  ['a joined name alone', 'agentless', 'Collects logs', [], false],
  ['an agent of another kind', 'spot-agent', 'Runs scripts on instances of Spot', [], false],
  ['prompts of a shell', 'prompts', 'Interactive prompts for the terminal', ['cli'], false],
])('a package is recognized, or not, by %s', (_, name, summary, words, expected) => {
  expect(packageNamesAi({ name, summary, keywords: words })).toBe(expected);
});

test.each([
  ['AI-powered coding assistant with chat.', true],
  ['Chat with Ollama models', true],
  ['Your AI pair programmer', true],
  ['Autonomous coding agent right in your editor', true],
  ['Prompts for ChatGPT', true],
  ['Browser automation for AI agents', true],
  ['MCP Server for spreadsheets', true],
  ['Switches between Claude Code and Codex', true],
  ['Evaluates LLM outputs', true],
  ['Menubar app built with the OpenAI API', true],
  ['Writes commits without leaving the terminal, with an AI assistant', true],

  ['Commit messages written by Claude Code', true],
  ['Summaries of meetings, powered by Claude', true],
  ['Switches from Claude Desktop to others', true],
  ['AI file organizer', true],
  ['AI to read PDF documents with', true],
  ['Connects to MCP servers', true],
  ['Runs GPT-4 on a partition of its own', true],

  ['Governs agent tool calls', true],
  ['Agent-first CLI of a shop', true],
  ['Deploys servers: CLI and MCP', true],
  ['A2A server of a shop', true],
  ['Local RAG engine for notes', true],
  ['Transcribes meetings with Whisper', true],
  ['Proxy of a llama.cpp server', true],
  ['CLI for lilys.ai', true],
  ['a small ai chat', true],
  ['A dictation app that types what you say', true],
  ['Transcribes podcasts', true],
  ['A browser CLI for agents', true],
  ['Usage of Claude and Codex in the menu bar', true],
  ['Client of an Ollama gateway', true],
  ['Titles of pull requests from a local or cloud LLM', true],
  ['Speech-to-text in the menu bar', true],
  ['Notes from meeting transcription', true],
  ['Runs multiple agents in containers', true],
  ['An AI extension for mail', true],
  ['A tool for AI governance', true],
  ['Reviews that are large language model-enabled', true],
  ['使用人工智能的编辑器', true],
  ['Редактор на основе искусственного интеллекта', true],

  ['Cleans up after dead agent sessions', true],
  ['Verifies every tool call', true],
  ['A memory layer for agents', true],
  ['A simple CLI agent', true],
  ['Visibility of runs and subagents', true],
  ['Scans for prompt injection', true],
  ['Saves context windows of models', true],
  ['Workflows over large language models', true],
  ['GGUF inference on a laptop', true],
  ['A local-first RAG of notes', true],
  ['Embedding models from a shell', true],
  ['An OpenAI-compatible proxy', true],
  ['For transcribing audio', true],
  ['An offline transcription tool', true],
  ['Redes sociais com inteligência artificial', true],
  ['에이전트를 위한 도구', true],
  ['Infers with an AI gateway', true],
  ['Manages opencode sessions', true],

  ['Edits GPT partition tables', false],
  ['Parses user agent sessions', false],
  ['Keys for ssh agent sessions', false],
  ['Tools of the monitoring agent', false],
  ['A type inference server', false],
  ['Tokens of a design system', false],
  ['Context windows of an editor', false],
  ['Prompts on the command line', false],
  ['CLI tool for running Netlify agents', true],
  ['Lightweight agent runner for local and remote machines', true],
  ['Review of agent-generated code', true],
  ['Natural language to shell commands', true],
  ['Git for prompts', true],
  ['Bootstraps GenAI projects', true],
  ['Market research with multi\u2011agent teams', true],
  ['基于 Textual 的编码 agent', true],
  ['Yapay zeka destekli editör', true],
  ['Beautiful prompts for the command line', false],
  ['Runs SSH agents', false],
  ['Manages your build agents', false],
  ['A protein language model', false],
  ['Spatial transcriptomics', false],
  ['Embedding of web pages', false],
  ['Grok patterns of logs', false],
  ['A drawer for people and AI agents', false],
  ['Whisper quiet fan control', false],
  ['Status in red, amber and green: RAG', false],
  ['Random user agents', false],
  ['Transcription factors of a genome', false],
  ['Multi-agent programmable modeling environment', false],
  ['Deploys containers with AWS Copilot', false],
  ['Convert between MBR and GPT', false],
  ['Poems by Claude McKay', false],
  ['Control of MCP 23017 expanders', false],
  ['Convert SVG to AI', false],
  ['Open AI files in any viewer', false],
  ['OpenAI Gym environments', false],
  ['Palettes of Claude Monet', false],
  ['Browses the Gemini protocol', false],
  ['Blocks for Codex Editor', false],
  ['Markdown that is LLM-friendly', false],
  ['Detects AI text', false],
  ['A theme for ChatGPT', false],
  ['Forwards your ssh agent', false],
  ['A multi-platform tool', false],
  ['Formats code for people and AI agents', false],
  ['Hide AI search results', false],
  ['No AI Search: Removes AI from search', false],
  ['Saves tabs', false],
])('the description %s is about AI: %s', (text, expected) => {
  expect(describesAi(text)).toBe(expected);
});

test('a name and a description of a megabyte each are handled', () => {
  const words = 'no-'.repeat(350_000);
  const [name, summary] = [`AI ${words}`, `AI ${words}`];
  expect(namesAi(name)).toBe(true);
  expect(namesAi(words)).toBe(false);
  expect(describesAi(summary)).toBe(true);
  expect(packageNamesAi({ name: words, summary, keywords: [words, 'llm'] })).toBe(true);
});

test.each([
  ['someone/gpt.nvim', true],
  ['someone/CodeGPT.nvim', true],
  ['someone/vim-ollama', true],
  ['echasnovski/mini.ai', false],
  ['copilot/telescope.nvim', false],
  ['someone/copilot-colors.nvim', false],
  ['someone/vim-airline', false],
])('the Vim plugin %s names AI: %s', (repository, expected) => {
  expect(vimPluginNamesAi(repository)).toBe(expected);
});
