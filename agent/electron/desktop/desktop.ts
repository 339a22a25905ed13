import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import type { Speaker } from '../words/speaker.ts';

/** What differs between the desktops that the app runs on. */
export interface Desktop {
  trayIcon: string;
  windowOptions: BrowserWindowConstructorOptions;
  /** Keeps the app out of everything but the tray. Once the app is ready. */
  setupBackground(speaker: Speaker): void;
  bringToFront(window: BrowserWindow): void;
}
