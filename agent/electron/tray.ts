import { app, Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { AgentRuntime } from '#agent/node/runtime.ts';
import { built } from './built.ts';
import { desktop } from './desktop/index.ts';
import { describeInBrief } from './tray-lines.ts';

/** The app's only visible part: what it is doing in a few words, and the way to the window. */
export function setupTray(agent: AgentRuntime, showWindow: () => void): void {
  const tray = new Tray(built.icon(desktop.trayIcon));
  tray.setToolTip(app.getName());

  let shown = '';
  const refresh = (lines: string[]): void => {
    // An open menu closes when it is replaced: only when there is something new.
    if (lines.join('\n') === shown) return;
    shown = lines.join('\n');
    tray.setContextMenu(Menu.buildFromTemplate(menuOf(lines, showWindow)));
  };
  refresh(describeInBrief(agent.status()));
  // This listener also keeps the tray: without a reference it is collected as garbage and vanishes.
  agent.onStatus((status) => refresh(describeInBrief(status)));
}

function menuOf(lines: string[], showWindow: () => void): MenuItemConstructorOptions[] {
  const said = lines.map((label) => ({ label, enabled: false }));
  const separator = { type: 'separator' } as const;
  return [
    ...said,
    separator,
    { label: 'Show what is observed', click: showWindow },
    separator,
    { label: `${app.getName()} ${app.getVersion()}`, enabled: false },
    ...(app.isPackaged ? [] : [quitItem]),
  ];
}

// An installed agent is started again as soon as it ends: offering to quit would be a pretence.
const quitItem: MenuItemConstructorOptions = { label: 'Quit', click: () => app.quit() };
