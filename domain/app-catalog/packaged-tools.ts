import { type CommandLineTool, npm, pypi, tool } from './entry.ts';
import { idOfPackage, namesIn, publisherOf } from './packaged.ts';

/**
 * Tools that are recognized by their package, whatever their program names: tools that configure,
 * run, meter or guard agents, and programs that run models. These are the most downloaded on npm.
 */
const ofNpm = namesIn(`
  @ai-coders/context @aigne/cli @annix/claude-swarm @ant-design/x-skill @arvoretech/hub
  @avikalpa/codex-litellm @bankr/cli @barnaby.build/barnaby @bradygaster/squad-cli
  @browserbasehq/browse-cli @builder.io/micro-agent @bulletproof-sh/ctrl-daemon
  @chongdashu/cc-statusline @creativeintelligence/abbie @db-ux/agent-cli
  @deriv-com/shiftai-cli @elizaos/agent @ferretforge/cli @flintttan/hapi
  @franckrst/agentfarm @geolonia/yuuhitsu @google/gemini-cli-a2a-server @heysalad/cheri-cli
  @idosal/agentcraft @inference/cli @joshski/dust @knowsuchagency/fulcrum
  @kokorolx/ai-sandbox-wrapper @laurentenhoor/devclaw @llm-grimoire/cli @llmops/gateway
  @lobehub/i18n-cli @lovenyberg/ove @mark3labs/kit @memberjunction/ai-cli
  @memnexus-ai/mx-agent-cli @memories.sh/cli @microsoft/m365agentstoolkit-cli
  @mmmbuto/qwen-code-termux @myerscarpenter/cdp-cli @nullplatform/llm-gateway @octavus/cli
  @ofeiss/hapi @oh-my-pi/pi-coding-agent @optima-chat/commerce-cli
  @orchestra-research/ai-research-skills @os-eco/mulch-cli @os-eco/seeds-cli @papalqi/hapi
  @paw-workflow/cli @pensar/apex @pizzapi/pizza @plaited/agent-eval-harness
  @portkey-ai/gateway @promptbook/cli @psg2/pi-transcript @realtimex/email-automator
  @remember-md/remember @romiluz/clawmongo @runablehq/mini-browser @sandbox-agent/cli
  @savestate/cli @serenegrasshopper/checkmate-ai @skej/studio @spader/dotllm
  @suncreation/modu-arena @sylphai/adal-cli @timetotest/cli @timothycrooker/ai-context-cli
  @tokscale/cli @tpsdev-ai/cli @twsxtd/hapi @undeemed/get-shit-done-codex @vellumai/cli
  @vercel/agent-eval @viteval/cli @vudovn/ag-kit @zzp123/hapi acpx aemeathcli
  agent-browser-stealth agent-cards agent-media agent-mobile agent-passport-system
  agent-recorder agent-reviews agent-skills-cli agent-slack agentation agentcord agentcraft
  agentdeck agentfmt agentgate agentic-pm agentidbase agentine agentlogs agentloom
  agentplane agentra agentspend agentsteer agron ai-custom-template-prompt ai-devkit
  aiblueprint-cli airport-ai am-i-vibing antigravity-claude-proxy apixcode assistant-ui
  atris beads-orchestration beads-ui block-no-verify blue-gardener botchan boten-gemma
  breadcrumb-cli casabot ccheckpoints ccs-cloner claude-cli claude-flow-novice
  claude-max-api-proxy claude-skills-cli claudish claw-cookbook clawdhub clawhub
  clawmarketbot clawncher clawnet codecli-hostapi codepiper coparrot cursor2claude
  deepseek-cli deepseek-cowork devchain-cli dj-claude dominds faf-cli feat-forge flightdesk
  fruitstand-cli get-shit-done-ios gh-setup-hooks grab gt gut-cli hungry-ghost-hive
  jasper-recall lattice-orchestrator llm-checker llm-coding-toolkit llm-usage-metrics
  llmverify lm-assist lmnr-cli lua-cli manicode memorix memvid-cli mobile-best-practices
  nanocode nemonix-cli nia-wizard noninteractive notion-cli-agent oh-my-claude-sisyphus
  oh-my-claude-sub-agents oh-my-codex oh-my-codex-cli oh-my-kiro oh-my-lilys
  oh-my-opencode-dashboard oh-my-prompt openclaw-cn openclaw-templates
  opencode-orchestrator opennexus opensrc playhouse-cli project-compass pupt quoroom
  ralph-tui ralphy-cli repopack sandbox-agent semantic-memory shellmail shopify-cc-kit
  skiller skillfish skillkit skills-npm smithers-orchestrator snapai srcpack stably
  supabuilder-cc takt thought-cabinet tokencanary translo-cli uipro-cli vibe-tools wile
  workflow-agent-cli worldbook
`);

/** PyPI packages, among the 15,000 most downloaded. */
const ofPypi = namesIn(`
  agent-framework-devui aiperf altimate-datapilot-cli arize-phoenix atendentepro bashkit
  bernstein chatterbox-tts cisco-ai-skill-scanner clawmetry cognee coqui-tts crawl4ai
  crewai-cli cua-agent deepagents-acp deepeval efterlev f5-tts funasr g4f genai-perf
  gpt-oss gpt-researcher graphifyy graphrag guardrails-ai harbor headroom-ai hindsight-api
  inspect-ai jupyter-ai kokoro-onnx langroid lm-eval marvin mempalace mindroom mlx-audio
  mlx-whisper nano-pdf nvidia-nat openhands-tools openviking pandasai phidata pipecatcloud
  piper-tts promptflow-devkit pyrit qwen-asr qwen-tts qwenpaw realtimestt sage-ai-cli
  semble strands-agents-builder swebench tavily-cli tts verify-everything
  whisper-timestamped
`);

export const packagedTools: readonly CommandLineTool[] = [
  ...ofNpm.map((name) =>
    tool(idOfPackage('npm', name), name, publisherOf(name), {
      source: npm(name),
      binaries: [],
      npm: [name],
    }),
  ),
  ...ofPypi.map((name) =>
    tool(idOfPackage('pypi', name), name, publisherOf(name), {
      source: pypi(name),
      binaries: [],
      pypi: [name],
    }),
  ),
];
