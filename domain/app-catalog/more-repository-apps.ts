import { app, electron, mac } from './desktop-app.ts';
import { type DesktopApp, github } from './entry.ts';

/**
 * Apps that are missing in Homebrew, or whose cask lacks their bundle id. Each line has:
 * repository; name; name of the bundle, if different; bundle ids, as in the project file, packaging
 * script or cask of the repository; Linux name of apps that are packaged with Electron.
 */
const TABLE = `
  0-AI-UG/cate; Cate; ; com.cate.app com.cero-ai.cate; cate
  0xfrankz/Kaas; Kaas; ; kassapp.com
  1runeberg/confichat; ConfiChat; confichat; io.confichat.confichat
  21st-dev/1code; 1Code; ; dev.21st.agents; 1code
  alexrozanski/LlamaChat; LlamaChat; ; com.alexrozanski.LlamaChat
  andrewyng/openworker; OpenWorker; ; com.openworker.desktop
  apotenza92/homebrew-tap; Caul; ; dev.caul.app
  apotenza92/homebrew-tap; Fraia; ; app.fraia.desktop
  AutoMaker-Org/automaker; Automaker; ; com.automaker.app; automaker
  aws-samples/swift-chat; SwiftChat; ; com.aws.swiftchat
  azex-ai/speech; Azex Speech; ; ai.azex.speech
  block/berd; Berd; ; xyz.block.berd
  BloopAI/bloop; bloop; ; ai.bloop.bloop
  BloopAI/vibe-kanban; Vibe Kanban App; Vibe Kanban; ai.bloop.vibe-kanban
  Bread-bang/claude-usage; Claude Usage; ; com.github.bread-bang.claude-usage
  chenrui333/homebrew-tap; Accomplish; ; ai.accomplish.desktop
  chenrui333/homebrew-tap; cc-hdrm; ; com.cc-hdrm.app
  chenrui333/homebrew-tap; Exort; ; com.exort.app
  chenrui333/homebrew-tap; Guildly; ; com.guildly.app
  chenrui333/homebrew-tap; Holaclaw; holaclaw; ai.holaclaw.app
  chenrui333/homebrew-tap; Lanes; ; sh.lanes.app
  chenrui333/homebrew-tap; Piebald; ; ai.piebald.desktop
  chenrui333/homebrew-tap; SpeakType; speaktype; com.2048labs.speaktype
  codecast-sh/codecast; Codecast; ; sh.codecast.desktop; codecast
  coder/mux; Mux; Xum; com.mux.app
  collabs-inc/collab-public; Collaborator; ; com.collaborator.desktop; collaborator
  coollabsio/homebrew-jean; Jean; ; com.jean.desktop
  cristicretu/diri; Diri; ; com.dirijor.diri
  crmitchelmore/homebrew-justspeaktoit; Just Speak to It; JustSpeakToIt; com.justspeaktoit.app
  different-ai/openwork; OpenWork; ; com.differentai.openwork
  egoist/waku; Waku; ; sh.waku
  evoleinik/fnkey; FnKey; ; ai.fnkey.app
  fmaclen/hollama; Hollama; ; com.hollama.desktop; hollama
  fwdai/fletch; Fletch; ; com.fletch.desktop
  guinmoon/LLMFarm; LLMFarm; ; com.appledev.LLMFarmDev
  hehehai/voxt; Voxt; ; com.voxt.Voxt
  huggingface/chat-macOS; HuggingChat; ; cyrilzakka.HuggingChat-Mac
  humanlayer/humanlayer; CodeLayer; ; dev.humanlayer.wui
  ibrahimcetin/reins; Reins; reins; dev.ibrahimcetin.reins
  jamiepine/voicebox; Voicebox; ; sh.voicebox.app
  jazzyalex/agent-sessions; Agent Sessions; AgentSessions; com.jazzyalex.AgentSessions
  kartikm7/llocal; LLocal; ; com.llocal.app; llocal
  Kc1t/alethe-agents; Alethe; ; com.kc1t.alethe
  kdlbs/kandev; Kandev; ; dev.kandev.desktop
  kstonekuan/tambourine-voice; Tambourine; ; com.tambourine-voice.app
  laggardkernel/homebrew-tap; Anx Reader; ; com.anxcye.anxReader
  linka-app/linka; Linka!; ; com.unoiou.linka
  Lucassssss/eechat; eechat; ; ee.chat.na; eechat
  maddylaneeee/ShengJi; ShengJi; LocalScribe; ca.lixinchen.localscribe
  mateuszmigas/painting-droid; Painting Droid; ; com.painting-droid.dev
  mazdak/homebrew-tap; AudioWhisper; ; com.audiowhisper.app
  moonfruit/homebrew-tap; WorkBuddy; ; com.workbuddy.workbuddy
  netease-youdao/LobsterAI; LobsterAI; ; com.lobsterai.app; lobsterai
  NeuralNomadsAI/CodeNomad; CodeNomad; ; ai.neuralnomads.codenomad.client; codenomad
  off-grid-ai/off-grid-ai-desktop; Off Grid AI Desktop; ; co.getoffgridai.desktop.pro
  OldJii/homebrew-tap; MCP Dock; ; com.mcp-dock.app; mcp-dock
  open-webui/desktop; Open WebUI Desktop; Open WebUI; com.openwebui.desktop; open-webui
  Orkas-AI/Orkas; Orkas; ; com.orkas.desktop; orkas
  owengretzinger/constellagent; Constellagent; ; com.constellagent.app; constellagent
  proliferate-ai/proliferate; Proliferate; ; com.proliferate.app
  rajatkulkarni95/yack; Yack; yack; yack.fyi
  rayzhudev/vibecraft; VibeCraft; ; com.vibecraft.app; vibecraft
  Recordscript/recordscript; Recordscript; ; com.recordscript.Recordscript
  RightNow-AI/openfang; OpenFang; ; ai.openfang.desktop
  rowboatlabs/rowboat; Rowboat; ; com.rowboat.app
  RoyZhao1991/LingShu; LingShu; 灵枢; com.zhaoroy.lingshu
  Runfusion/Fusion; Fusion; ; com.gsxdsm.fusion.desktop
  sahithvibudhi/vibe-tree; VibeTree; ; com.vibetree.app; vibetree
  sasha-computer/claude-code-usage; Claude Code Usage; ClaudeCodeUsage; com.sasha-computer.claude-code-usage
  shanyouli/homebrew-tap; CCX Desktop; ; com.ccx.gateway.desktop
  shanyouli/homebrew-tap; MrRSS; ; com.mrrss.app
  shanyouli/homebrew-tap; Snapbox; ; app.snapbox.desktop
  siteboon/claudecodeui; CloudCLI; ; ai.cloudcli.desktop; cloudcli
  slopus/happy; Happy; ; com.slopus.happy
  sotthang/so-agentbar; SoAgentBar; ; com.sotthang.soagentbar
  stablyai/orca; Orca; ; com.stablyai.orca
  stevyhacker/lokalbot; LokalBot; ; me.dotenv.LokalBot
  sverrirsig/claude-control; Claude Control; ; com.claude-control.app; claude-control
  taecontrol/orion; Orion; orion; com.taecontrol.orion
  tempestai-dev/tempest; Tempest; ; com.user.tempest
  tover0314-w/opentypeless; OpenTypeless; ; com.opentypeless.app
  traycerai/traycer; Traycer App; Traycer; ai.traycer.desktop
  umputun/agterm; agterm; ; com.umputun.agterm
  Untrivial-ai/agent-orchestrator; Agent Orchestrator; ; dev.agent-orchestrator.desktop
  vivy-company/aizen; Aizen; ; win.aizen.app
  xingbofeng/VoxFlow; VoxFlow; ; com.voxflow.app
  zeronsh/comet; Zeron; ; sh.zeron.app
`;

const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function entryOf(line: string): DesktopApp {
  const [repository = '', name = '', bundle = '', bundleIds = '', word] = line
    .split(';')
    .map((field) => field.trim());
  const [owner = ''] = repository.split('/');
  return app(idOf(name), name, owner, {
    source: github(repository),
    ...mac(bundle || name, ...bundleIds.split(' ')),
    ...(word ? electron(word, name) : {}),
  });
}

/** Assistants, dictation apps, and programs that start, watch or meter agents. */
export const moreRepositoryApps: readonly DesktopApp[] = TABLE.trim().split('\n').map(entryOf);
