import type { EditorExtension } from './entry.ts';

type Ids = Pick<EditorExtension, 'vscode' | 'jetbrains'>;

const extension = (id: string, name: string, vendor: string, ids: Ids): EditorExtension => ({
  id,
  name,
  vendor,
  kind: 'editor_extension',
  ...ids,
});

/** Extensions of the VS Code family by marketplace id, JetBrains plugins by plugin id. */
export const editorExtensions: readonly EditorExtension[] = [
  extension('github-copilot', 'GitHub Copilot', 'GitHub', {
    vscode: ['github.copilot'],
    jetbrains: ['com.github.copilot'],
  }),
  extension('github-copilot-chat', 'GitHub Copilot Chat', 'GitHub', {
    vscode: ['github.copilot-chat'],
  }),
  extension('claude-code-extension', 'Claude Code', 'Anthropic', {
    vscode: ['anthropic.claude-code'],
    jetbrains: ['com.anthropic.code.plugin'],
  }),
  extension('codex-extension', 'Codex', 'OpenAI', { vscode: ['openai.chatgpt'] }),
  extension('cline', 'Cline', 'Cline', { vscode: ['saoudrizwan.claude-dev'] }),
  extension('roo-code', 'Roo Code', 'Roo', { vscode: ['rooveterinaryinc.roo-cline'] }),
  extension('kilo-code', 'Kilo Code', 'Kilo', {
    vscode: ['kilocode.kilo-code'],
    jetbrains: ['ai.kilocode.jetbrains'],
  }),
  extension('gemini-code-assist', 'Gemini Code Assist', 'Google', {
    vscode: ['google.geminicodeassist'],
    jetbrains: ['com.google.tools.ij.aiplugin'],
  }),
  extension('gemini-cli-companion', 'Gemini CLI Companion', 'Google', {
    vscode: ['google.gemini-cli-vscode-ide-companion'],
  }),
  extension('continue', 'Continue', 'Continue', {
    vscode: ['continue.continue'],
    jetbrains: ['com.github.continuedev.continueintellijextension'],
  }),
  extension('cody', 'Cody', 'Sourcegraph', {
    vscode: ['sourcegraph.cody-ai'],
    jetbrains: ['com.sourcegraph.jetbrains'],
  }),
  extension('amp-extension', 'Amp', 'Sourcegraph', { vscode: ['sourcegraph.amp'] }),
  extension('windsurf-plugin', 'Windsurf Plugin', 'Cognition', {
    vscode: ['codeium.codeium'],
    jetbrains: ['com.codeium.intellij'],
  }),
  extension('tabnine', 'Tabnine', 'Tabnine', {
    vscode: ['tabnine.tabnine-vscode'],
    jetbrains: ['com.tabnine.TabNine'],
  }),
  extension('amazon-q', 'Amazon Q', 'Amazon', {
    vscode: ['amazonwebservices.amazon-q-vscode'],
    jetbrains: ['amazon.q'],
  }),
  extension('augment', 'Augment', 'Augment', {
    vscode: ['augment.vscode-augment'],
    jetbrains: ['com.augmentcode'],
  }),
  extension('jetbrains-ai-assistant', 'JetBrains AI Assistant', 'JetBrains', {
    jetbrains: ['com.intellij.ml.llm'],
  }),
  extension('junie', 'Junie', 'JetBrains', { jetbrains: ['org.jetbrains.junie'] }),
  extension('proxy-ai', 'ProxyAI', 'Carl-Robert Linnupuu', {
    jetbrains: ['ee.carlrobert.chatgpt'],
  }),
  extension('supermaven', 'Supermaven', 'Supermaven', {
    vscode: ['supermaven.supermaven'],
    jetbrains: ['com.supermaven.intellij'],
  }),
  extension('codegpt', 'CodeGPT', 'Judini', { vscode: ['danielsanmedium.dscodegpt'] }),
  extension('twinny', 'twinny', 'Richard Macarthy', { vscode: ['rjmacarthy.twinny'] }),
  extension('blackbox', 'Blackbox AI', 'Blackbox', { vscode: ['blackboxapp.blackbox'] }),
  extension('qodo-gen', 'Qodo Gen', 'Qodo', { vscode: ['codium.codium'] }),
  extension('intellicode', 'IntelliCode', 'Microsoft', {
    vscode: ['visualstudioexptteam.vscodeintellicode'],
  }),
  extension('ai-toolkit', 'AI Toolkit', 'Microsoft', {
    vscode: ['ms-windows-ai-studio.windows-ai-studio'],
  }),
  extension('gitlab-duo', 'GitLab Duo', 'GitLab', {
    vscode: ['gitlab.gitlab-workflow'],
    jetbrains: ['com.gitlab.plugin'],
  }),
  extension('tongyi-lingma', 'Tongyi Lingma', 'Alibaba', {
    vscode: ['alibaba-cloud.tongyi-lingma'],
    jetbrains: ['com.alibabacloud.intellij.cosy'],
  }),
];
