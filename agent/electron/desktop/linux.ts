import { Menu } from 'electron';
import { built } from '../built.ts';
import type { Desktop } from './desktop.ts';

export const linux: Desktop = {
  trayIcon: 'tray.png',

  windowOptions: { icon: built.icon('tray.png') },

  setupBackground() {
    // Electron's own menu would stand in the window, with quit in it.
    Menu.setApplicationMenu(null);
  },

  bringToFront(window) {
    window.show();
    window.focus();
  },
};
