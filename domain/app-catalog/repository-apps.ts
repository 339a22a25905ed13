import { app, electron, mac } from './desktop-app.ts';
import { type DesktopApp, github } from './entry.ts';

type Row = readonly [
  repository: string,
  id: string,
  name: string,
  vendor: string,
  app: string,
  bundleId: string,
];

/** Rows by repository. The bundle id is from its project file, packaging script or cask. */
const rows: readonly Row[] = [
  [
    'agiforanyone/app',
    'agi-for-anyone',
    'AGI for Anyone',
    'AGI for Anyone',
    'AGI for Anyone',
    'com.agiforanyone.app',
  ],
  [
    'madhavajay/alex',
    'alexandria',
    'Alexandria',
    'madhavajay',
    'AlexandriaBar',
    'com.madhavajay.alexandria-macos',
  ],
  ['Nick-Anderssohn/nice', 'nice', 'Nice', 'Nick Anderssohn', 'Nice', 'dev.nickanderssohn.nice'],
  ['romus/writeless', 'writeless', 'Write Less', 'romus', 'WriteLess', 'dev.romus.app.writeless'],
  [
    'sensecherise/token-spendie',
    'token-spendie',
    'Token Spendie',
    'sensecherise',
    'TokenSpendie',
    'com.cherise.TokenSpendie',
  ],
  [
    'TimBroddin/workforce',
    'workforce',
    'Workforce',
    'Tim Broddin',
    'Workforce',
    'be.titansofindustry.Workforce',
  ],
  [
    'vjeantet/aipepito-releases',
    'aipepito',
    'AIPepito',
    'Sodadi',
    'AIPepito',
    'fr.sodadi.aipepito',
  ],
  ['AQBot-Desktop/AQBot', 'aqbot', 'AQBot', 'AQBot', 'AQBot', 'top.aqbot.desktop'],
  [
    'AtomicBot-ai/Atomic-Chat',
    'atomic-chat',
    'Atomic Chat',
    'AtomicBot',
    'Atomic Chat',
    'chat.atomic.app',
  ],
  ['btangonan/anima', 'anima-terminal', 'Anima', 'btangonan', 'Anima', 'dev.anima.terminal'],
  [
    'bunnysayzz/AppleAI',
    'apple-ai-menu',
    'Apple AI',
    'bunnysayzz',
    'AppleAI',
    'com.macbunny.appleai.pro',
  ],
  [
    'cursorvoice/cursor-voice',
    'cursor-voice',
    'Cursor Voice',
    'Cursor Voice',
    'CursorVoice',
    'com.cursorvoice.app',
  ],
  ['daodao97/chatmcp', 'chatmcp', 'ChatMCP', 'daodao97', 'ChatMCP', 'run.daodao.chatmcp'],
  ['Divagation/flock', 'flock', 'Flock', 'Divagation', 'Flock', 'com.baa.flock'],
  [
    'f-is-h/Usage4Claude',
    'usage4claude',
    'Usage4Claude',
    'f-is-h',
    'Usage4Claude',
    'xyz.fi5h.Usage4Claude',
  ],
  [
    'FirenzeLor/gemini-collector',
    'gemini-collector',
    'Gemini Collector',
    'FirenzeLor',
    'gemini-collector',
    'com.gemini-collector',
  ],
  ['fru-dev3/prevail-desktop', 'prevail', 'Prevail', 'Prevail', 'Prevail', 'sh.prevail.desktop'],
  ['GCWing/BitFun', 'bitfun', 'BitFun', 'BitFun', 'BitFun', 'com.bitfun.desktop'],
  ['kill136/axon', 'axon-desktop', 'Axon', 'kill136', 'Axon', 'com.axon.app'],
  [
    'Lcharvol/Claude-God',
    'claude-god',
    'Claude God',
    'Lcharvol',
    'Claude God',
    'com.lcharvol.claude-god',
  ],
  ['m13v/fazm', 'fazm', 'Fazm', 'Fazm', 'Fazm', 'com.fazm.app'],
  ['migsilva89/loadout', 'loadout', 'Loadout', 'migsilva89', 'Loadout', 'com.migsilva.loadout'],
  [
    'mm7894215/TokenTracker',
    'tokentracker',
    'TokenTracker',
    'TokenTracker',
    'TokenTrackerBar',
    'com.tokentracker.bar',
  ],
  ['Moresl/cchub', 'cchub', 'CCHub', 'Moresl', 'CCHub', 'com.cchub.app'],
  ['NitroRCr/AIaW', 'aiaw', 'AI as Workspace', 'NitroRCr', 'AI as Workspace', 'app.aiaw'],
  [
    'Priyans-hu/tokenmeter',
    'tokenmeter',
    'TokenMeter',
    'Priyans-hu',
    'TokenMeter',
    'com.priyanshugarg.tokenmeter',
  ],
  ['runtime-org/runtime', 'runtime-app', 'Runtime', 'Runtime', 'runtime', 'com.anytime.rt0421'],
  ['SidhuK/WardenApp', 'warden', 'Warden', 'Karat Sidhu', 'Warden', 'karatsidhu.WardenAI'],
  [
    'ThinkInAIXYZ/clawdhome',
    'clawdhome',
    'ClawdHome',
    'ThinkInAI',
    'ClawdHome',
    'ai.clawdhome.mac',
  ],
  ['Tura-AI/tura', 'tura', 'Tura', 'Tura', 'tura_gui', 'dev.tura.tura-gui'],
];

/** Apps that are packaged with Electron, for macOS and Linux. */
const packed: readonly (readonly [...Row, word: string])[] = [
  [
    '777genius/agent-teams-ai',
    'agent-teams-ai',
    'Agent Teams AI',
    '777genius',
    'Agent Teams AI',
    'com.agent-teams.app',
    'agent-teams-ai',
  ],
  [
    'Charlie85270/Dorothy',
    'dorothy',
    'Dorothy',
    'Charlie85270',
    'Dorothy',
    'io.dorothy.app',
    'dorothy',
  ],
  ['codika-io/clave', 'clave', 'Clave', 'Codika', 'Clave', 'com.clave.app', 'clave'],
  [
    'johannesjo/parallel-code',
    'parallel-code',
    'Parallel Code',
    'Johannes Millan',
    'Parallel Code',
    'com.parallel-code.app',
    'parallel-code',
  ],
  [
    'seekrays/seekchat',
    'seekchat',
    'SeekChat',
    'SeekRays',
    'SeekChat',
    'com.seekrays.seekchat',
    'seekchat',
  ],
  [
    'swarmclawai/swarmclaw',
    'swarmclaw',
    'SwarmClaw',
    'SwarmClaw',
    'SwarmClaw',
    'ai.swarmclaw.desktop',
    'swarmclaw',
  ],
];

/**
 * Apps that are missing in Homebrew: assistants, and programs that start, watch or meter agents.
 */
export const repositoryApps: readonly DesktopApp[] = [
  ...rows.map(([repository, id, name, vendor, title, bundleId]) =>
    app(id, name, vendor, { source: github(repository), ...mac(title, bundleId) }),
  ),
  ...packed.map(([repository, id, name, vendor, title, bundleId, word]) =>
    app(id, name, vendor, {
      source: github(repository),
      ...mac(title, bundleId),
      ...electron(word, title),
    }),
  ),
];
