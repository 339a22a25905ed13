import { app, Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { AgentStatus } from '#agent/core/status.ts';
import type { AgentRuntime } from '#agent/node/start-agent.ts';
import { buildPaths } from './build-paths.ts';
import { desktop } from './desktop.ts';
import { describeCapture, describeStatus, describePause } from './tray-lines.ts';
import type { Translator } from './messages/translator.ts';

export interface TrayOptions {
  agent: AgentRuntime;
  translator: Translator;
  showWindow: () => void;
}

/** Creates the tray icon, which shows the state of the agent and opens the window. */
export function setupTray({ agent, translator, showWindow }: TrayOptions): void {
  const tray = new Tray(buildPaths.icon(desktop.trayIcon));
  const actions = { pause: agent.pause, resume: agent.resume };

  let shown = '';
  const refresh = (status: AgentStatus): void => {
    const lines = describeStatus(status, translator);
    const choice = describePause(status, translator);
    // Replacing an open menu closes it, so it is replaced only if its content has changed.
    const now = JSON.stringify([lines, choice]);
    if (now === shown) return;
    shown = now;
    tray.setToolTip(`${app.getName()}: ${describeCapture(status, translator)}`);
    const pausing = choice && { label: choice.label, click: () => void actions[choice.action]() };
    tray.setContextMenu(Menu.buildFromTemplate(menuOf(lines, pausing, { translator, showWindow })));
  };
  refresh(agent.status());
  // The listener also refers to the tray icon, which would vanish once it is garbage-collected.
  agent.onStatus(refresh);
}

type Item = MenuItemConstructorOptions;

function menuOf(
  lines: string[],
  pausing: Item | null,
  { translator, showWindow }: Pick<TrayOptions, 'translator' | 'showWindow'>,
): Item[] {
  const stateItems = lines.map((label) => ({ label, enabled: false }));
  const separator = { type: 'separator' } as const;
  // Quit is offered only in development: the service restarts an installed agent at once.
  const quit = { label: translator.translate('tray.quit'), click: () => app.quit() };
  return [
    ...stateItems,
    separator,
    ...(pausing ? [pausing] : []),
    { label: translator.translate('tray.show'), click: showWindow },
    separator,
    { label: `${app.getName()} ${app.getVersion()}`, enabled: false },
    ...(app.isPackaged ? [] : [quit]),
  ];
}
