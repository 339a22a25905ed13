import { app, Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { AgentStatus } from '#agent/core/status.ts';
import type { AgentRuntime } from '#agent/node/runtime.ts';
import { buildPaths } from './build-paths.ts';
import { desktop } from './desktop.ts';
import { describeCapture, describeStatus, describePause } from './tray-lines.ts';
import type { Translator } from './messages/translator.ts';

export interface TrayOptions {
  agent: AgentRuntime;
  speaker: Translator;
  showWindow: () => void;
}

/** The app's only visible part: what it is doing in a few words, and the way to the window. */
export function setupTray({ agent, speaker, showWindow }: TrayOptions): void {
  const tray = new Tray(buildPaths.icon(desktop.trayIcon));
  const choose = { pause: agent.pause, resume: agent.resume };

  let shown = '';
  const refresh = (status: AgentStatus): void => {
    const lines = describeStatus(status, speaker);
    const choice = describePause(status, speaker);
    // An open menu closes when it is replaced: only when there is something new.
    const now = JSON.stringify([lines, choice]);
    if (now === shown) return;
    shown = now;
    tray.setToolTip(`${app.getName()}: ${describeCapture(status, speaker)}`);
    const pausing = choice && { label: choice.label, click: () => void choose[choice.does]() };
    tray.setContextMenu(Menu.buildFromTemplate(menuOf(lines, pausing, { speaker, showWindow })));
  };
  refresh(agent.status());
  // This listener also keeps the tray: without a reference it is collected as garbage and vanishes.
  agent.onStatus(refresh);
}

type Item = MenuItemConstructorOptions;

function menuOf(
  lines: string[],
  pausing: Item | null,
  { speaker, showWindow }: Pick<TrayOptions, 'speaker' | 'showWindow'>,
): Item[] {
  const said = lines.map((label) => ({ label, enabled: false }));
  const separator = { type: 'separator' } as const;
  // An installed agent is started again as soon as it ends: offering to quit would be a pretence.
  const quit = { label: speaker.translate('tray.quit'), click: () => app.quit() };
  return [
    ...said,
    separator,
    ...(pausing ? [pausing] : []),
    { label: speaker.translate('tray.show'), click: showWindow },
    separator,
    { label: `${app.getName()} ${app.getVersion()}`, enabled: false },
    ...(app.isPackaged ? [] : [quit]),
  ];
}
