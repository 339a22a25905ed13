import { type BrowserWindow, type BrowserWindowConstructorOptions, app, Menu } from 'electron';
import type { Translator } from './messages/translator.ts';
import { buildPaths } from './build-paths.ts';

/**
 * A menu that is hardly seen, for its shortcuts: copy, close and zoom are wanted. Electron's own would
 * add quit.
 */
export function setupWindowMenu({ translate }: Translator): void {
  const window = [{ role: 'copy' }, { role: 'selectAll' }, { role: 'close' }] as const;
  const view = [{ role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'resetZoom' }] as const;
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { label: translate('menu.window'), submenu: [...window] },
      { label: translate('menu.view'), submenu: [...view] },
    ]),
  );
}

/** What differs between the desktops that the app runs on. */
export interface Desktop {
  trayIcon: string;
  windowOptions: BrowserWindowConstructorOptions;
  /** Keeps the app out of everything but the tray. Once the app is ready. */
  setupBackground(speaker: Translator): void;
  bringToFront(window: BrowserWindow): void;
}

export const linux: Desktop = {
  trayIcon: 'tray.png',

  // The menu stays out of the window until Alt is pressed.
  windowOptions: { icon: buildPaths.icon('tray.png'), autoHideMenuBar: true },

  setupBackground: setupWindowMenu,

  bringToFront(window) {
    window.show();
    window.focus();
  },
};

export const darwin: Desktop = {
  // The name's ending makes it a template image, which the system colours to fit the menu bar.
  trayIcon: 'trayTemplate.png',

  windowOptions: {},

  setupBackground(speaker) {
    // An installed app has LSUIElement in its Info.plist, which spares it the moment in the Dock.
    app.setActivationPolicy('accessory');
    // The menu bar of an accessory app is never seen.
    setupWindowMenu(speaker);
  },

  bringToFront(window) {
    window.show();
    // An accessory app is not brought to the front with its window.
    app.focus({ steal: true });
  },
};

export const desktop: Desktop = process.platform === 'darwin' ? darwin : linux;
