import { app, mac } from './desktop-app.ts';
import type { DesktopApp } from './entry.ts';

type Row = readonly [
  cask: string,
  name: string,
  vendor: string,
  app: string,
  bundleId: string,
  ...more: string[],
];

/** Rows by Homebrew cask: the app's names and the bundle ids that its uninstallation removes. */
const rows: readonly Row[] = [
  ['adrafinil', 'Adrafinil', 'Kagerou', 'Adrafinil', 'glass.kagerou.adrafinil'],
  ['agent-tars', 'Agent TARS', 'ByteDance', 'Agent TARS', 'com.bytedance.agenttars'],
  ['aide-app', 'Aide', 'CodeStory', 'Aide', 'ai.codestory.AideInsiders'],
  ['aifun', 'AiFun', 'AiFun', 'AiFun', 'com.getaifun'],
  ['appgridmac', 'AppGridMac', 'Zekalogic', 'AppGridMac', 'com.zekalogic.appgrid.app.direct'],
  ['arcbox', 'ArcBox', 'ArcBox Labs', 'ArcBox', 'com.arcboxlabs.desktop'],
  ['koe', 'Koe', 'Koe', 'Koe', 'nz.owo.koe'],
  [
    'langgraph-studio',
    'LangGraph Studio',
    'LangChain',
    'LangGraph Studio',
    'com.electron.langgraph-studio-desktop',
  ],
  ['mumu-x', 'Mumu X', 'Wilbert Liu', 'Mumu X', 'com.wilbertliu.mumu-x'],
  [
    'opensuperwhisper',
    'OpenSuperWhisper',
    'Starmel',
    'OpenSuperWhisper',
    'ru.starmel.OpenSuperWhisper',
  ],
  ['petdex', 'Petdex', 'Petdex', 'Petdex', 'dev.petdex.desktop-native'],
  ['raycast-glaze', 'Glaze', 'Raycast', 'Glaze', 'app.glaze.macos.main'],
  ['repo-prompt', 'Repo Prompt', 'pvncher', 'Repo Prompt', 'com.pvncher.repoprompt'],
  ['ui-tars', 'UI TARS', 'ByteDance', 'UI TARS', 'com.bytedance.uitars'],
  ['vincelwt-chatgpt', 'ChatGPT for Mac', 'Vince Lwt', 'Chatgpt', 'com.vincelwt.chatgptmac'],
  ['airi', 'AIRI', 'Moeru AI', 'AIRI', 'ai.moeru.airi'],
  ['aside', 'Aside', 'Studio AT', 'Aside', 'at.studio.AsideBrowser'],
  ['browseros', 'BrowserOS', 'BrowserOS', 'BrowserOS', 'com.browseros.BrowserOS'],
  ['chatglm', 'ChatGLM', 'Zhipu', '智谱清言', 'com.zhipu.chatglm'],
  ['eigent', 'Eigent', 'Eigent', 'Eigent', 'com.eigent.app'],
  ['filo', 'FiloMail', 'Filo', 'Filo', 'com.filo.client'],
  [
    'flowdown',
    'FlowDown',
    'Lakr Aream',
    'FlowDown',
    'wiki.qaq.flow',
    'wiki.qaq.FlowDown.Community',
  ],
  ['glean', 'Glean Desktop', 'Glean', 'Glean', 'com.glean.desktop'],
  ['highlight-ai', 'Highlight', 'Highlight', 'Highlight', 'tv.medal.highlight'],
  ['llama-app', 'Llama', 'ggml', 'Llama', 'app.llama.Llama', 'app.llamabarn.LlamaBarn'],
  ['lm-studio-bionic', 'LM Studio Bionic', 'Element Labs', 'Bionic', 'ai.elementlabs.bionic'],
  [
    'microsoft-365-copilot',
    'Microsoft 365 Copilot',
    'Microsoft',
    'Microsoft 365 Copilot',
    'com.microsoft.m365copilot',
  ],
  ['mirai', 'Mirai', 'Mirai', 'Mirai', 'com.mirai.tech.chat'],
  ['nessie-app', 'Nessie', 'Nessie Labs', 'Nessie', 'com.nessielabs.Nessie'],
  ['notesollama', 'NotesOllama', 'Smallest', 'NotesOllama', 'app.smallest.NotesOllama'],
  ['ollamac', 'Ollamac', 'Kevin Hermawan', 'Ollamac', 'com.kevinhermawan.Ollamac'],
  ['onit-sidekick', 'SideKick', 'Synth', 'SideKick', 'inc.synth.onit.sidekick'],
  ['osaurus', 'Osaurus', 'Dinoki', 'osaurus', 'com.dinoki.osaurus'],
  ['pally', 'Pally', 'Pally', 'Pally', 'pally.Pally'],
  ['pdf-pals', 'PDF Pals', 'Podzim', 'PDF Pals', 'co.podzim.PDFPals'],
  ['qianwen', 'qianwen', 'Alibaba', 'Qianwen', 'com.alibaba.tongyi'],
  ['rivet', 'Rivet', 'Ironclad', 'Rivet', 'com.ironcladapp.rivet'],
  ['sanctum', 'Sanctum', 'Sanctum AI', 'Sanctum', 'ai.sanctum.chat'],
  ['unblocked', 'Unblocked', 'NextChapter', 'Unblocked', 'com.nextchaptersoftware.UnblockedHub'],
  ['vmlx', 'vMLX', 'vMLX', 'vMLX', 'net.vmlx.app'],
  ['yuanbao', 'Yuanbao', 'Tencent', '元宝', 'com.tencent.yuanbao'],
  ['ds4-control', 'DS4 Control', 'EmbeddedTech', 'DS4 Control', 'sg.embeddedtech.ds4control'],
  ['rize', 'Rize', 'Rize', 'Rize', 'io.rize'],
  ['mem', 'Mem', 'Mem Labs', 'Mem', 'org.memlabs.Mem'],
  ['pieces-os', 'Pieces OS', 'Mesh Intelligent Technologies', 'Pieces OS', 'com.pieces.os'],
  ['reflect', 'Reflect Notes', 'Reflect', 'Reflect', 'app.reflect.ReflectDesktop'],
  [
    'superhuman',
    'Superhuman',
    'Superhuman',
    'Superhuman',
    'com.superhuman.electron',
    'com.superhuman.mail',
  ],
  ['shortwave', 'Shortwave', 'Shortwave', 'Shortwave', 'com.electron.shortwave'],
  ['notion-mail', 'Notion Mail', 'Notion', 'Notion Mail', 'notion.mail.id'],
  ['sigmaos', 'SigmaOS', 'SigmaOS', 'SigmaOS', 'com.sigmaos.sigmaos.macos'],
];

/** Chat apps, companions, browsers with an agent, and model runners. */
export const moreAssistantApps: readonly DesktopApp[] = [
  ...rows.map(([token, name, vendor, bundle, ...ids]) =>
    app(token, name, vendor, mac(bundle, ...ids)),
  ),
  // Terminal programs have the ids that these casks would have.
  app('openclaw-app', 'OpenClaw', 'OpenClaw', {
    cask: 'openclaw',
    ...mac('OpenClaw', 'bot.molt.mac'),
  }),
  app('exo-app', 'EXO', 'EXO Labs', { cask: 'exo', ...mac('EXO', 'exolabs.EXO') }),
  app('langflow-app', 'Langflow Desktop', 'DataStax', {
    cask: 'langflow',
    ...mac('Langflow', 'com.Langflow'),
  }),
  app(
    'diffusionbee',
    'DiffusionBee',
    'DiffusionBee',
    mac('DiffusionBee', 'com.diffusionbee.diffusionbee'),
  ),
  app('upscayl', 'Upscayl', 'Upscayl', {
    ...mac('Upscayl', 'org.upscayl.app', 'org.upscayl.Upscayl'),
    linux: {
      desktopIds: ['org.upscayl.Upscayl', 'upscayl'],
      installDirs: ['/opt/Upscayl/'],
      debs: ['upscayl'],
      appImages: ['upscayl-'],
      settings: ['.config/Upscayl'],
    },
  }),
  app('bavarder', 'Bavarder', 'Bavarder', {
    source: 'https://flathub.org/apps/io.github.Bavarder.Bavarder',
    linux: { desktopIds: ['io.github.Bavarder.Bavarder'] },
  }),
  app('speech-note', 'Speech Note', 'Michal Kosciesza', {
    source: 'https://flathub.org/apps/net.mkiol.SpeechNote',
    linux: { desktopIds: ['net.mkiol.SpeechNote'] },
  }),
  app('pieces-os-snap', 'Pieces OS', 'Mesh Intelligent Technologies', {
    source: 'https://snapcraft.io/pieces-os',
    linux: { snaps: ['pieces-os'] },
  }),
  app('nextchat', 'NextChat', 'NextChat', {
    source: 'https://github.com/ChatGPTNextWeb/NextChat',
    ...mac('NextChat', 'com.yida.chatgpt.next.web'),
    linux: {
      appImages: ['nextchat_', 'NextChat_'],
      settings: ['.local/share/com.yida.chatgpt.next.web'],
    },
  }),
  app('chatgpt-lencx', 'ChatGPT (lencx)', 'lencx', {
    source: 'https://github.com/lencx/ChatGPT',
    ...mac('ChatGPT', 'com.lencx.chatgpt'),
  }),
  app('aiko', 'Aiko', 'Sindre Sorhus', {
    source: 'https://sindresorhus.com/aiko',
    ...mac('Aiko', 'com.sindresorhus.Aiko'),
  }),
  app('enchanted', 'Enchanted', 'Augustinas Malinauskas', {
    source: 'https://github.com/gluonfield/enchanted',
    ...mac('Enchanted', 'subj.Enchanted'),
  }),
  app('screenpipe-app', 'screenpipe', 'Mediar', {
    source: 'https://github.com/mediar-ai/screenpipe',
    ...mac('screenpipe', 'screenpi.pe'),
  }),
  app('vibe-transcribe', 'Vibe', 'thewh1teagle', {
    source: 'https://github.com/thewh1teagle/vibe',
    ...mac('vibe', 'github.com.thewh1teagle.vibe'),
  }),
  app('windsurf-next', 'Devin - Next', 'Cognition', {
    cask: 'devin-desktop@next',
    ...mac('Devin - Next', 'com.exafunction.windsurfNext'),
  }),
  app('zed-preview', 'Zed Preview', 'Zed Industries', {
    cask: 'zed@preview',
    ...mac('Zed Preview', 'dev.zed.Zed-Preview'),
  }),
  app('warp-preview', 'Warp Preview', 'Warp', {
    cask: 'warp@preview',
    ...mac('WarpPreview', 'dev.warp.Warp-Preview'),
  }),
  app('trae-cn', 'Trae CN', 'ByteDance', mac('Trae CN', 'cn.trae.app')),
  // Not in Homebrew. The bundle id is from the app's build configuration.
  app('tome-app', 'Tome', 'Runebook', {
    source: 'https://github.com/runebookai/tome/blob/main/src-tauri/tauri.conf.json',
    ...mac('Tome', 'co.runebook'),
  }),
  app('hyperchat', 'HyperChat', 'Dadigua', {
    source:
      'https://github.com/BigSweetPotatoStudio/HyperChat/blob/main/packages/electron/package.json',
    ...mac('HyperChat', 'men.dadigua.hpyerchat'),
  }),
  app('dive-app', 'Dive', 'Open Agent Platform', {
    source: 'https://github.com/OpenAgentPlatform/Dive/blob/main/electron-builder.json',
    ...mac('Dive', 'ai.oaphub.dive'),
  }),
  app('yurucode', 'Yume', 'aofp', {
    source: 'https://github.com/aofp/yume/blob/main/src-tauri/tauri.conf.json',
    ...mac('yurucode', 'be.yuru.yurucode'),
  }),
];
