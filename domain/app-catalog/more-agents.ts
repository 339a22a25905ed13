import { tool, type CommandLineTool, cask, crate, formula, github, npm, pypi } from './entry.ts';

/** Further agents, frameworks that run them, and assistants of the shell. */
export const moreAgents: readonly CommandLineTool[] = [
  tool('mimo-code', 'MiMo Code', 'Xiaomi', {
    source: formula('mimo-code'),
    binaries: ['mimo'],
    npm: ['@mimo-ai/cli'],
    brew: ['mimo-code'],
  }),
  tool('kimi-code', 'Kimi Code', 'Moonshot AI', {
    source: formula('kimi-code'),
    binaries: ['kimi'],
    npm: ['@moonshot-ai/kimi-code'],
    brew: ['kimi-code'],
  }),
  tool('trae-agent', 'Trae Agent', 'ByteDance', {
    source: github('bytedance/trae-agent'),
    binaries: ['trae-cli'],
    pypi: ['trae-agent'],
  }),
  tool('code-puppy', 'Code Puppy', 'Michael Pfaffenberger', {
    source: pypi('code-puppy'),
    binaries: ['code-puppy', 'pup'],
    pypi: ['code-puppy'],
  }),
  tool('deepagents-cli', 'Deep Agents', 'LangChain', {
    source: pypi('deepagents-cli'),
    binaries: ['deepagents', 'deepagents-cli'],
    pypi: ['deepagents-cli'],
  }),
  tool('swe-agent', 'SWE-agent', 'Princeton NLP', {
    source: github('SWE-agent/SWE-agent'),
    binaries: ['sweagent'],
    pypi: ['sweagent'],
  }),
  tool('browser-use', 'Browser Use', 'Browser Use', {
    source: pypi('browser-use'),
    binaries: ['browser-use', 'browseruse', 'bu'],
    pypi: ['browser-use'],
  }),
  tool('atomcode', 'AtomCode', 'AtomCode', {
    source: cask('atomcode'),
    binaries: ['atomcode'],
    brew: ['atomcode'],
  }),
  tool('muse-code', 'Muse Code', 'Meta', {
    source: cask('muse-code'),
    binaries: ['muse'],
    brew: ['muse-code'],
  }),
  tool('warp-agent-cli', 'Warp Agent CLI', 'Warp', {
    source: cask('warp-agent-cli'),
    binaries: ['warp'],
    brew: ['warp-agent-cli'],
  }),
  tool('zero-agent', 'Zero', 'Gitlawb', {
    source: formula('zero'),
    binaries: ['zero'],
    brew: ['zero'],
    go: ['github.com/Gitlawb/zero'],
  }),
  tool('zot-agent', 'Zot', 'patriceckhart', {
    source: formula('zot'),
    binaries: ['zot'],
    brew: ['zot'],
    go: ['github.com/patriceckhart/zot'],
  }),
  tool('opencrabs', 'OpenCrabs', 'adolfousier', {
    source: formula('opencrabs'),
    binaries: ['opencrabs'],
    brew: ['opencrabs'],
    cargo: ['opencrabs'],
  }),
  tool('ironclaw', 'IronClaw', 'Near AI', {
    source: formula('ironclaw'),
    binaries: ['ironclaw'],
    brew: ['ironclaw'],
  }),
  tool('nullclaw', 'NullClaw', 'NullClaw', {
    source: formula('nullclaw'),
    binaries: ['nullclaw'],
    brew: ['nullclaw'],
  }),
  tool('zeptoclaw', 'ZeptoClaw', 'qhkm', {
    source: formula('zeptoclaw'),
    binaries: ['zeptoclaw'],
    brew: ['zeptoclaw'],
  }),
  tool('librefang', 'LibreFang', 'LibreFang', {
    source: formula('librefang'),
    binaries: ['librefang'],
    brew: ['librefang'],
  }),
  tool('nanobot-mcp', 'Nanobot', 'Nanobot', {
    source: formula('nanobot'),
    binaries: ['nanobot'],
    brew: ['nanobot'],
    go: ['github.com/nanobot-ai/nanobot'],
  }),
  tool('nanobot-hkuds', 'nanobot', 'HKUDS', {
    source: pypi('nanobot-ai'),
    binaries: ['nanobot'],
    pypi: ['nanobot-ai'],
  }),
  tool('kode-cli', 'Kode', 'shareAI', {
    source: npm('@shareai-lab/kode'),
    binaries: ['kode'],
    npm: ['@shareai-lab/kode'],
  }),
  tool('neovate-code', 'Neovate', 'Ant Group', {
    source: npm('@neovate/code'),
    binaries: ['neovate'],
    npm: ['@neovate/code'],
  }),
  tool('command-code', 'Command Code', 'Command Code', {
    source: npm('command-code'),
    binaries: ['command-code', 'cmd'],
    npm: ['command-code'],
  }),
  tool('toad-agent', 'Toad', 'Batrachian', {
    source: pypi('batrachian-toad'),
    binaries: ['toad'],
    pypi: ['batrachian-toad'],
  }),
  tool('parllama', 'PAR LLAMA', 'Paul Robello', {
    source: pypi('parllama'),
    binaries: ['parllama'],
    pypi: ['parllama'],
  }),
  tool('crewai', 'CrewAI', 'CrewAI', {
    source: pypi('crewai'),
    binaries: ['crewai'],
    pypi: ['crewai'],
  }),
  tool('langgraph-cli', 'LangGraph CLI', 'LangChain', {
    source: pypi('langgraph-cli'),
    binaries: ['langgraph'],
    pypi: ['langgraph-cli'],
    brew: ['langgraph-cli'],
  }),
  tool('google-adk', 'Agent Development Kit', 'Google', {
    source: pypi('google-adk'),
    binaries: ['adk'],
    pypi: ['google-adk'],
  }),
  tool('smolagents', 'smolagents', 'Hugging Face', {
    source: pypi('smolagents'),
    binaries: ['smolagent', 'webagent'],
    pypi: ['smolagents'],
  }),
  tool('autogenstudio', 'AutoGen Studio', 'Microsoft', {
    source: pypi('autogenstudio'),
    binaries: ['autogenstudio'],
    pypi: ['autogenstudio'],
  }),
  tool('metagpt', 'MetaGPT', 'DeepWisdom', {
    source: pypi('metagpt'),
    binaries: ['metagpt'],
    pypi: ['metagpt'],
  }),
  tool('letta-server', 'Letta', 'Letta', {
    source: pypi('letta'),
    binaries: ['letta'],
    pypi: ['letta'],
  }),
  tool('khoj', 'Khoj', 'Khoj', {
    source: pypi('khoj'),
    binaries: ['khoj'],
    pypi: ['khoj'],
  }),
  tool('clai', 'Pydantic AI CLI', 'Pydantic', {
    source: pypi('clai'),
    binaries: ['clai'],
    pypi: ['clai'],
  }),
  tool('serena', 'Serena', 'Oraios', {
    source: pypi('serena-agent'),
    binaries: ['serena', 'serena-mcp-server'],
    pypi: ['serena-agent'],
  }),
  tool('genaiscript', 'GenAIScript', 'Microsoft', {
    source: npm('genaiscript'),
    binaries: ['genaiscript'],
    npm: ['genaiscript'],
  }),
  tool('mastra', 'Mastra', 'Mastra', {
    source: npm('mastra'),
    binaries: ['mastra'],
    npm: ['mastra'],
  }),
  tool('genkit', 'Genkit', 'Google', {
    source: npm('genkit-cli'),
    binaries: ['genkit'],
    npm: ['genkit-cli'],
  }),
  tool('rawdog', 'Rawdog', 'Abante AI', {
    source: pypi('rawdog-ai'),
    binaries: ['rawdog'],
    pypi: ['rawdog-ai'],
    brew: ['rawdog'],
  }),
  tool('gorilla-cli', 'Gorilla CLI', 'UC Berkeley', {
    source: formula('gorilla-cli'),
    binaries: ['gorilla'],
    pypi: ['gorilla-cli'],
    brew: ['gorilla-cli'],
  }),
  tool('gptscript', 'GPTScript', 'GPTScript', {
    source: formula('gptscript'),
    binaries: ['gptscript'],
    brew: ['gptscript'],
    go: ['github.com/gptscript-ai/gptscript'],
  }),
  tool('tmuxai', 'TmuxAI', 'Alvin Unreal', {
    source: formula('tmuxai'),
    binaries: ['tmuxai'],
    brew: ['tmuxai'],
    go: ['github.com/alvinunreal/tmuxai'],
  }),
  tool('plz-cli', 'plz', 'Miguel Piedrafita', {
    source: formula('plz-cli'),
    binaries: ['plz'],
    brew: ['plz-cli'],
    cargo: ['plz-cli'],
  }),
  tool('qqqa', 'qqqa', 'iagooar', {
    source: formula('qqqa'),
    binaries: ['qq', 'qa'],
    brew: ['qqqa'],
    cargo: ['qqqa'],
  }),
  tool('cai', 'cai', 'Adrian Sieber', {
    source: formula('cai'),
    binaries: ['cai'],
    brew: ['cai'],
    cargo: ['cai'],
  }),
  tool('ata', 'ata', 'transformrs', {
    source: formula('ata'),
    binaries: ['ata'],
    brew: ['ata'],
    cargo: ['ata'],
  }),
  tool('tenere', 'tenere', 'pythops', {
    source: formula('tenere'),
    binaries: ['tenere'],
    brew: ['tenere'],
    cargo: ['tenere'],
  }),
  tool('oatmeal', 'Oatmeal', 'Dustin Blackman', {
    source: crate('oatmeal'),
    binaries: ['oatmeal'],
    cargo: ['oatmeal'],
  }),
  tool('gptline', 'gptline', 'gptline', {
    source: formula('gptline'),
    binaries: ['gptline'],
    brew: ['gptline'],
    pypi: ['gptline'],
  }),
  tool('sysaidmin', 'SysAIdmin', 'sysaidmin', {
    source: formula('sysaidmin'),
    binaries: ['sysaidmin'],
    brew: ['sysaidmin'],
    pypi: ['sysaidmin'],
  }),
  tool('yai', 'Yai', 'ekkinox', {
    source: github('ekkinox/yai'),
    binaries: ['yai'],
    go: ['github.com/ekkinox/yai'],
  }),
  tool('open-code-review', 'Open Code Review', 'Alibaba', {
    source: formula('open-code-review'),
    binaries: ['ocr'],
    brew: ['open-code-review'],
  }),
  tool('kuzco', 'Kuzco', 'RoseSecurity', {
    source: formula('kuzco'),
    binaries: ['kuzco'],
    brew: ['kuzco'],
    go: ['github.com/RoseSecurity/Kuzco'],
  }),
  tool('kagent', 'kagent', 'kagent', {
    source: formula('kagent'),
    binaries: ['kagent'],
    brew: ['kagent'],
  }),
  tool('holmesgpt', 'HolmesGPT', 'Robusta', {
    source: pypi('holmesgpt'),
    binaries: ['holmes'],
    pypi: ['holmesgpt'],
  }),
  tool('strands-agents-sops', 'Strands Agents SOPs', 'Amazon', {
    source: formula('strands-agents-sops'),
    binaries: ['strands-agents-sops'],
    brew: ['strands-agents-sops'],
    pypi: ['strands-agents-sops'],
  }),
  tool('pr-agent', 'PR-Agent', 'Qodo', {
    source: pypi('pr-agent'),
    binaries: ['pr-agent'],
    pypi: ['pr-agent'],
  }),
  tool('qodo-command', 'Qodo Command', 'Qodo', {
    source: npm('@qodo/command'),
    binaries: ['qodo'],
    npm: ['@qodo/command'],
  }),
  tool('openai-cli', 'OpenAI CLI', 'OpenAI', {
    source: pypi('openai'),
    binaries: ['openai'],
    pypi: ['openai'],
  }),
  tool('chatgpt-npm', 'chatgpt', 'Travis Fischer', {
    source: npm('chatgpt'),
    binaries: ['chatgpt'],
    npm: ['chatgpt'],
  }),
  tool('open-codex', 'open-codex', 'Michael Ji', {
    source: npm('open-codex'),
    binaries: ['open-codex'],
    npm: ['open-codex'],
  }),
  tool('langgraphjs', 'LangGraph.js CLI', 'LangChain', {
    source: npm('@langchain/langgraph-cli'),
    binaries: ['langgraphjs'],
    npm: ['@langchain/langgraph-cli'],
  }),
  tool('vtcode', 'VT Code', 'Vinh Nguyen', {
    source: github('vinhnx/vtcode'),
    binaries: ['vtcode'],
    cargo: ['vtcode'],
    brew: ['vtcode'],
  }),
  tool('paper-qa', 'PaperQA', 'FutureHouse', {
    source: pypi('paper-qa'),
    binaries: ['pqa'],
    pypi: ['paper-qa'],
  }),
];
