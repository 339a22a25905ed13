import { tool } from './command-line-tool.ts';
import type { CommandLineTool } from './entry.ts';
import { formula, github, npm, pypi } from './sources.ts';

const chats: CommandLineTool[] = [
  tool('llm', 'LLM', 'Simon Willison', {
    source: formula('llm'),
    binaries: ['llm'],
    pypi: ['llm'],
    brew: ['llm'],
    homes: ['.config/io.datasette.llm'],
  }),
  tool('aichat', 'AIChat', 'sigoden', {
    source: formula('aichat'),
    binaries: ['aichat'],
    cargo: ['aichat'],
    brew: ['aichat'],
    homes: ['.config/aichat'],
    ownNames: ['aichat'],
  }),
  tool('mods', 'Mods', 'Charm', {
    source: github('charmbracelet/mods'),
    binaries: ['mods'],
    brew: ['mods'],
    go: ['github.com/charmbracelet/mods'],
    debs: ['mods'],
    homes: ['.config/mods', '.local/share/mods'],
  }),
  tool('shell-gpt', 'ShellGPT', 'Farkhod Sadykov', {
    source: pypi('shell-gpt'),
    binaries: ['sgpt'],
    pypi: ['shell-gpt'],
    homes: ['.config/shell_gpt'],
    ownNames: ['sgpt'],
  }),
  tool('fabric-ai', 'Fabric', 'Daniel Miessler', {
    source: formula('fabric-ai'),
    binaries: ['fabric', 'fabric-ai'],
    brew: ['fabric-ai'],
    go: ['github.com/danielmiessler/fabric'],
    homes: ['.config/fabric'],
    ownNames: ['fabric-ai'],
  }),
  tool('gptme', 'gptme', 'gptme', {
    source: pypi('gptme'),
    binaries: ['gptme'],
    brew: ['gptme'],
    pypi: ['gptme'],
    homes: ['.config/gptme'],
    ownNames: ['gptme'],
  }),
  tool('tgpt', 'tgpt', 'aandrew-me', {
    source: formula('tgpt'),
    binaries: ['tgpt'],
    brew: ['tgpt'],
    go: ['github.com/aandrew-me/tgpt'],
    homes: ['.config/tgpt'],
    ownNames: ['tgpt'],
  }),
  tool('chatgpt-cli', 'ChatGPT CLI', 'kardolus', {
    source: formula('chatgpt-cli'),
    binaries: ['chatgpt', 'chatgpt-cli'],
    brew: ['chatgpt-cli'],
    go: ['github.com/kardolus/chatgpt-cli'],
    homes: ['.chatgpt-cli'],
  }),
  tool('chatblade', 'Chatblade', 'npiv', {
    source: formula('chatblade'),
    binaries: ['chatblade'],
    pypi: ['chatblade'],
    brew: ['chatblade'],
  }),
  tool('oterm', 'oterm', 'Yiorgis Gozadinos', {
    source: pypi('oterm'),
    binaries: ['oterm'],
    pypi: ['oterm'],
    brew: ['oterm'],
    homes: ['.local/share/oterm', 'Library/Application Support/oterm'],
    ownNames: ['oterm'],
  }),
  tool('elia', 'Elia', 'Darren Burns', {
    source: pypi('elia-chat'),
    binaries: ['elia'],
    pypi: ['elia-chat'],
    homes: ['.local/share/elia'],
  }),
  tool('ai-shell', 'AI Shell', 'Builder.io', {
    source: npm('@builder.io/ai-shell'),
    binaries: ['ai', 'ai-shell'],
    npm: ['@builder.io/ai-shell'],
    homes: ['.ai-shell'],
  }),
];

const forOneTask: CommandLineTool[] = [
  tool('k8sgpt', 'K8sGPT', 'K8sGPT', {
    source: github('k8sgpt-ai/k8sgpt'),
    binaries: ['k8sgpt'],
    brew: ['k8sgpt'],
    go: ['github.com/k8sgpt-ai/k8sgpt'],
    debs: ['k8sgpt'],
    homes: ['.config/k8sgpt', 'Library/Application Support/k8sgpt'],
    ownNames: ['k8sgpt'],
  }),
  tool('kubectl-ai', 'kubectl-ai', 'Google', {
    source: formula('kubectl-ai'),
    binaries: ['kubectl-ai'],
    brew: ['kubectl-ai'],
    go: ['github.com/GoogleCloudPlatform/kubectl-ai'],
    homes: ['.config/kubectl-ai'],
    ownNames: ['kubectl-ai'],
  }),
  tool('opencommit', 'OpenCommit', 'Dima Sukharev', {
    source: npm('opencommit'),
    binaries: ['opencommit', 'oco'],
    npm: ['opencommit'],
    homes: ['.opencommit'],
    ownNames: ['opencommit'],
  }),
  tool('aicommits', 'AI Commits', 'Nutlope', {
    source: npm('aicommits'),
    binaries: ['aicommits', 'aic'],
    brew: ['aicommits'],
    npm: ['aicommits'],
    homes: ['.aicommits'],
    ownNames: ['aicommits'],
  }),
  tool('repomix', 'Repomix', 'Kazuki Yamada', {
    source: formula('repomix'),
    binaries: ['repomix'],
    npm: ['repomix'],
    brew: ['repomix'],
  }),
  tool('promptfoo', 'Promptfoo', 'Promptfoo', {
    source: formula('promptfoo'),
    binaries: ['promptfoo', 'pf'],
    npm: ['promptfoo'],
    brew: ['promptfoo'],
    homes: ['.promptfoo'],
    ownNames: ['promptfoo'],
  }),
  tool('hugging-face-cli', 'Hugging Face CLI', 'Hugging Face', {
    source: formula('hf'),
    binaries: ['hf', 'huggingface-cli'],
    pypi: ['huggingface-hub'],
    brew: ['hf', 'huggingface-cli'],
    homes: ['.cache/huggingface'],
  }),
  tool('whisper-cpp', 'whisper.cpp', 'ggml', {
    source: formula('whisper-cpp'),
    binaries: ['whisper-cli', 'whisper-cpp'],
    brew: ['whisper-cpp'],
  }),
  tool('openai-whisper', 'Whisper', 'OpenAI', {
    source: formula('openai-whisper'),
    binaries: ['whisper'],
    pypi: ['openai-whisper'],
    brew: ['openai-whisper'],
    homes: ['.cache/whisper'],
  }),
];

/** Programs of the terminal that ask a model, without being an agent of a project. */
export const terminalAssistants: readonly CommandLineTool[] = [...chats, ...forOneTask];
