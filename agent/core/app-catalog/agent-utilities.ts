import { tool } from './command-line-tool.ts';
import type { CommandLineTool } from './entry.ts';
import { crate, formula, github, npm, pypi } from './sources.ts';

/** What configures, meters, sandboxes or feeds an agent. */
export const agentUtilities: readonly CommandLineTool[] = [
  tool('openskills', 'OpenSkills', 'numman-ali', {
    source: formula('openskills'),
    binaries: ['openskills'],
    npm: ['openskills'],
    brew: ['openskills'],
  }),
  tool('skills-cli', 'Skills', 'Vercel', {
    source: npm('skills'),
    binaries: ['skills', 'add-skill'],
    npm: ['skills', 'add-skill'],
    brew: ['skills'],
  }),
  tool('skillshare', 'skillshare', 'runkids', {
    source: formula('skillshare'),
    binaries: ['skillshare'],
    brew: ['skillshare'],
  }),
  tool('claudekit', 'claudekit', 'Carl Rannaberg', {
    source: formula('claudekit'),
    binaries: ['claudekit', 'claudekit-hooks'],
    npm: ['claudekit'],
    brew: ['claudekit'],
  }),
  tool('claude-hooks', 'claude-hooks', 'claude-hooks', {
    source: formula('claude-hooks'),
    binaries: ['claude-hooks'],
    npm: ['claude-hooks'],
    brew: ['claude-hooks'],
  }),
  tool('claude-cmd', 'Claude Commands Manager', 'claude-cmd', {
    source: formula('claude-cmd'),
    binaries: ['claude-cmd'],
    npm: ['claude-cmd'],
    brew: ['claude-cmd'],
  }),
  tool('claude-mem', 'claude-mem', 'Alex Newman', {
    source: npm('claude-mem'),
    binaries: ['claude-mem'],
    npm: ['claude-mem'],
  }),
  tool('claude-monitor', 'Claude Code Usage Monitor', 'Maciek', {
    source: pypi('claude-monitor'),
    binaries: ['claude-monitor', 'cmonitor', 'ccmonitor', 'ccm'],
    pypi: ['claude-monitor'],
  }),
  tool('claude-code-log', 'claude-code-log', 'Daniel Demmel', {
    source: pypi('claude-code-log'),
    binaries: ['claude-code-log'],
    pypi: ['claude-code-log'],
  }),
  tool('ccstatusline', 'ccstatusline', 'Matthew Breedlove', {
    source: npm('ccstatusline'),
    binaries: ['ccstatusline'],
    npm: ['ccstatusline'],
  }),
  tool('ccmanager', 'CCManager', 'Kodai Kabasawa', {
    source: npm('ccmanager'),
    binaries: ['ccmanager'],
    npm: ['ccmanager'],
  }),
  tool('ccs', 'CCS', 'Kai Tran', {
    source: npm('@kaitranntt/ccs'),
    binaries: ['ccs'],
    npm: ['@kaitranntt/ccs'],
  }),
  tool('tweakcc', 'tweakcc', 'Piebald', {
    source: formula('tweakcc'),
    binaries: ['tweakcc'],
    npm: ['tweakcc'],
    brew: ['tweakcc'],
  }),
  tool('superclaude', 'SuperClaude', 'SuperClaude', {
    source: npm('@bifrost_inc/superclaude'),
    binaries: ['superclaude', 'SuperClaude'],
    pypi: ['superclaude'],
    npm: ['@bifrost_inc/superclaude'],
  }),
  tool('bmad-method', 'BMAD Method', 'BMad Code', {
    source: npm('bmad-method'),
    binaries: ['bmad', 'bmad-method'],
    npm: ['bmad-method'],
  }),
  tool('get-shit-done', 'Get Shit Done', 'TÂCHES', {
    source: npm('get-shit-done-cc'),
    binaries: ['get-shit-done-cc'],
    npm: ['get-shit-done-cc'],
  }),
  tool('oh-my-opencode', 'Oh My OpenCode', 'YeonGyu Kim', {
    source: npm('oh-my-opencode'),
    binaries: ['oh-my-opencode'],
    npm: ['oh-my-opencode'],
  }),
  tool('ruflo', 'Ruflo', 'ruv', {
    source: npm('ruflo'),
    binaries: ['ruflo'],
    npm: ['ruflo'],
  }),
  tool('rulesync', 'Rulesync', 'dyoshikawa', {
    source: formula('rulesync'),
    binaries: ['rulesync'],
    npm: ['rulesync'],
    brew: ['rulesync'],
  }),
  tool('ruler', 'Ruler', 'Intellectronica', {
    source: npm('@intellectronica/ruler'),
    binaries: ['ruler'],
    npm: ['@intellectronica/ruler'],
  }),
  tool('apm-cli', 'Agent Package Manager', 'Microsoft', {
    source: formula('apm'),
    binaries: ['apm'],
    pypi: ['apm-cli'],
    brew: ['apm'],
  }),
  tool('codeburn', 'CodeBurn', 'codeburn', {
    source: formula('codeburn'),
    binaries: ['codeburn'],
    npm: ['codeburn'],
    brew: ['codeburn'],
  }),
  tool('splitrail', 'Splitrail', 'Piebald', {
    source: formula('splitrail'),
    binaries: ['splitrail'],
    brew: ['splitrail'],
  }),
  tool('toktop', 'toktop', 'htin1', {
    source: formula('toktop'),
    binaries: ['toktop'],
    brew: ['toktop'],
    go: ['github.com/htin1/toktop'],
  }),
  tool('tokscale', 'tokscale', 'Junho Yeo', {
    source: npm('tokscale'),
    binaries: ['tokscale'],
    npm: ['tokscale'],
  }),
  tool('rtk', 'RTK', 'RTK', {
    source: formula('rtk'),
    binaries: ['rtk'],
    brew: ['rtk'],
  }),
  tool('openlore', 'OpenLore', 'OpenLore', {
    source: formula('openlore'),
    binaries: ['openlore'],
    npm: ['openlore'],
    brew: ['openlore'],
  }),
  tool('pixtuoid', 'Pixtuoid', 'IvanWng97', {
    source: formula('pixtuoid'),
    binaries: ['pixtuoid'],
    brew: ['pixtuoid'],
  }),
  tool('aoe', 'Agent of Empires', 'Nate Brake', {
    source: formula('aoe'),
    binaries: ['aoe'],
    brew: ['aoe'],
  }),
  tool('cc-connect', 'cc-connect', 'chenhg5', {
    source: formula('cc-connect'),
    binaries: ['cc-connect'],
    npm: ['cc-connect'],
    brew: ['cc-connect'],
  }),
  tool('cc-switch-cli', 'CC Switch CLI', 'SaladDay', {
    source: formula('cc-switch-cli'),
    binaries: ['cc-switch'],
    brew: ['cc-switch-cli'],
  }),
  tool('container-use', 'container-use', 'Dagger', {
    source: formula('container-use'),
    binaries: ['container-use', 'cu'],
    brew: ['container-use'],
    go: ['github.com/dagger/container-use'],
  }),
  tool('ralph-orchestrator', 'Ralph Orchestrator', "Mikey O'Brien", {
    source: formula('ralph-orchestrator'),
    binaries: ['ralph'],
    brew: ['ralph-orchestrator'],
    npm: ['@ralph-orchestrator/ralph-cli'],
    cargo: ['ralph-cli'],
  }),
  tool('nono', 'nono', 'Always Further', {
    source: formula('nono'),
    binaries: ['nono'],
    brew: ['nono'],
    cargo: ['nono-cli'],
  }),
  tool('sandvault', 'SandVault', 'webcoyote', {
    source: formula('sandvault'),
    binaries: ['sv'],
    brew: ['sandvault'],
  }),
  tool('gbox', 'gbox', 'Babel Cloud', {
    source: formula('gbox'),
    binaries: ['gbox'],
    brew: ['gbox'],
    npm: ['@gbox.ai/cli'],
  }),
  tool('worktrunk', 'Worktrunk', 'Maximilian Roos', {
    source: formula('worktrunk'),
    binaries: ['wt'],
    brew: ['worktrunk'],
    cargo: ['worktrunk'],
  }),
  tool('xcsift', 'xcsift', 'ldomaradzki', {
    source: formula('xcsift'),
    binaries: ['xcsift'],
    brew: ['xcsift'],
  }),
  tool('humanbound', 'Humanbound', 'Humanbound', {
    source: formula('humanbound'),
    binaries: ['hb', 'humanbound'],
    brew: ['humanbound'],
    pypi: ['humanbound'],
  }),
  tool('aicommit2', 'AICommit2', 'tak-bro', {
    source: formula('aicommit2'),
    binaries: ['aicommit2', 'aic2'],
    npm: ['aicommit2'],
    brew: ['aicommit2'],
  }),
  tool('aicommit-coder', 'aicommit', 'Coder', {
    source: formula('aicommit'),
    binaries: ['aicommit'],
    brew: ['aicommit'],
    go: ['github.com/coder/aicommit'],
  }),
  tool('gptcommit', 'gptcommit', 'Roger Zurawicki', {
    source: crate('gptcommit'),
    binaries: ['gptcommit'],
    cargo: ['gptcommit'],
  }),
  tool('codegpt-cli', 'CodeGPT', 'appleboy', {
    source: github('appleboy/CodeGPT'),
    binaries: ['codegpt'],
    go: ['github.com/appleboy/CodeGPT'],
  }),
  tool('vibecheck', 'vibecheck', 'rshdhere', {
    source: formula('vibecheck'),
    binaries: ['vibecheck'],
    brew: ['vibecheck'],
    go: ['github.com/rshdhere/vibecheck'],
  }),
  tool('code2prompt', 'code2prompt', 'Mufeed VH', {
    source: formula('code2prompt'),
    binaries: ['code2prompt'],
    brew: ['code2prompt'],
    cargo: ['code2prompt'],
  }),
  tool('yek', 'yek', 'Mohsen Azimi', {
    source: formula('yek'),
    binaries: ['yek'],
    brew: ['yek'],
    cargo: ['yek'],
  }),
  tool('gitingest', 'Gitingest', 'coderamp', {
    source: formula('gitingest'),
    binaries: ['gitingest'],
    pypi: ['gitingest'],
    brew: ['gitingest'],
  }),
  tool('summarize', 'Summarize', 'Peter Steinberger', {
    source: formula('summarize'),
    binaries: ['summarize'],
    npm: ['@steipete/summarize'],
    brew: ['summarize'],
  }),
  tool('oracle-cli', 'Oracle', 'Peter Steinberger', {
    source: npm('@steipete/oracle'),
    binaries: ['oracle', 'oracle-mcp'],
    npm: ['@steipete/oracle'],
  }),
  tool('shortest', 'Shortest', 'Antiwork', {
    source: formula('shortest'),
    binaries: ['shortest'],
    npm: ['@antiwork/shortest'],
    brew: ['shortest'],
  }),
  tool('browser-tools-server', 'BrowserTools MCP', 'AgentDesk', {
    source: npm('@agentdeskai/browser-tools-server'),
    binaries: ['browser-tools-server', 'browser-tools-mcp'],
    npm: ['@agentdeskai/browser-tools-server', '@agentdeskai/browser-tools-mcp'],
  }),
  tool('ai-digest', 'ai-digest', 'Kan Yilmaz', {
    source: npm('ai-digest'),
    binaries: ['ai-digest'],
    npm: ['ai-digest'],
  }),
  tool('cc-safety-net', 'cc-safety-net', 'kenryu42', {
    source: npm('cc-safety-net'),
    binaries: ['cc-safety-net', 'ccsn'],
    npm: ['cc-safety-net'],
  }),
  tool('files-to-prompt', 'files-to-prompt', 'Simon Willison', {
    source: pypi('files-to-prompt'),
    binaries: ['files-to-prompt'],
    pypi: ['files-to-prompt'],
  }),
  tool('ttok', 'ttok', 'Simon Willison', {
    source: pypi('ttok'),
    binaries: ['ttok'],
    pypi: ['ttok'],
  }),
  tool('aider-install', 'aider-install', 'Aider', {
    source: pypi('aider-install'),
    binaries: ['aider-install'],
    pypi: ['aider-install'],
  }),
];
