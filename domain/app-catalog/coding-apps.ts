import { app, electron, fork, mac } from './desktop-app.ts';
import type { DesktopApp } from './entry.ts';

const editors: DesktopApp[] = [
  app('cursor', 'Cursor', 'Anysphere', {
    ...mac('Cursor', 'com.todesktop.230313mzl4w4u92'),
    ...fork('cursor', 'Cursor'),
  }),
  app('windsurf', 'Windsurf', 'Cognition', {
    // Renamed Devin in 2026; the bundle id stayed.
    darwin: { bundleIds: ['com.exafunction.windsurf'], appNames: ['Windsurf', 'Devin'] },
    ...fork('windsurf', 'Windsurf'),
  }),
  app('kiro', 'Kiro', 'Amazon', { ...mac('Kiro', 'dev.kiro.desktop'), ...fork('kiro', 'Kiro') }),
  app('antigravity', 'Antigravity', 'Google', {
    ...mac('Antigravity', 'com.google.antigravity'),
    ...fork('antigravity', 'Antigravity'),
  }),
  app('trae', 'Trae', 'ByteDance', { ...mac('Trae', 'com.trae.app'), ...fork('trae', 'Trae') }),
  app('void-editor', 'Void', 'Glass Devtools', {
    source: 'https://github.com/voideditor/void',
    ...mac('Void', 'com.voideditor.Void', 'com.voideditor.code'),
    ...fork('void', 'Void'),
  }),
  app('devin', 'Devin', 'Cognition', {
    source: 'https://docs.devin.ai',
    ...fork('devin-desktop', 'Devin'),
  }),
  app('zed', 'Zed', 'Zed Industries', {
    ...mac('Zed', 'dev.zed.Zed'),
    linux: {
      desktopIds: ['dev.zed.Zed'],
      installDirs: ['~/.local/zed.app/', '/usr/lib/zed/'],
    },
  }),
  app('positron', 'Positron', 'Posit', {
    ...mac('Positron', 'com.rstudio.positron'),
    ...fork('positron', 'Positron'),
  }),
  app('codebuddy', 'CodeBuddy', 'Tencent', {
    ...mac('CodeBuddy', 'com.tencent.codebuddy'),
    ...fork('codebuddy', 'CodeBuddy'),
  }),
  app('jetbrains-air', 'Air', 'JetBrains', mac('Air', 'com.jetbrains.air')),
];

const aroundAgents: DesktopApp[] = [
  app('conductor', 'Conductor', 'Melty Labs', mac('Conductor', 'com.conductor.app')),
  app('warp', 'Warp', 'Warp', {
    ...mac('Warp', 'dev.warp.Warp-Stable'),
    linux: {
      desktopIds: ['dev.warp.Warp'],
      installDirs: ['/opt/warpdotdev/'],
      debs: ['warp-terminal'],
      appImages: ['Warp-'],
      settings: ['.config/warp-terminal'],
    },
  }),
  app('cmux', 'cmux', 'Manaflow', mac('cmux', 'com.cmuxterm.app')),
  app('emdash', 'Emdash', 'General Action', {
    ...mac('emdash', 'com.emdash', 'com.emdash.stable'),
    ...electron('emdash', 'Emdash'),
  }),
  app('superset', 'Superset', 'Superset', mac('Superset', 'com.superset.desktop')),
  app('sculptor', 'Sculptor', 'Imbue', {
    ...mac('Sculptor', 'com.electron.sculptor'),
    linux: { appImages: ['Sculptor'], settings: ['.config/Sculptor'], desktopIds: ['sculptor'] },
  }),
  app('opcode', 'opcode', 'Asterisk', {
    ...mac('opcode', 'opcode.asterisk.so'),
    linux: { desktopIds: ['opcode'], debs: ['opcode'], appImages: ['opcode_'] },
  }),
];

/** Editors built around an agent, and apps that run several agents. */
export const codingApps: readonly DesktopApp[] = [...editors, ...aroundAgents];
