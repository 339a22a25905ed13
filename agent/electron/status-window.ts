import { app, BrowserWindow, nativeTheme, type Session, type WebFrameMain } from 'electron';
import type { Log } from '#agent/node/log.ts';
import { buildPaths } from './build-paths.ts';
import { startPage } from './app-scheme.ts';
import { type StatusMessage, STATUS_CHANNEL } from './bridge.ts';
import { desktop } from './desktop.ts';
import { createConfinedSession } from './hardening.ts';

export interface StatusWindow {
  /** Opens the window, or brings the open one to the front. */
  show: () => void;
  /** Sends the status to the window, if it is open. */
  send: (status: StatusMessage) => void;
  isOpen: () => boolean;
  /** Whether the frame is the main frame of the open window and shows the page of the app. */
  owns: (frame: WebFrameMain | null) => boolean;
}

/** Creates the window that shows what is observed. It is opened when it is first shown. */
export function createStatusWindow(log: Log): StatusWindow {
  let session: Session | undefined;
  let open: BrowserWindow | null = null;

  const create = (): BrowserWindow => {
    const window = openWindow((session ??= createConfinedSession()));
    window.on('closed', () => (open = null));
    window.once('ready-to-show', () => desktop.bringToFront(window));
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      log.error(`window: its process has ended: ${reason}`);
      window.destroy();
    });
    window.loadURL(startPage).catch((error: unknown) => log.error(`window: ${String(error)}`));
    return window;
  };

  return {
    show() {
      if (open) desktop.bringToFront(open);
      else open = create();
    },
    send: (status) => open?.webContents.send(STATUS_CHANNEL, status),
    isOpen: () => open !== null,
    owns: (frame) =>
      frame !== null && frame === open?.webContents.mainFrame && frame.url === startPage,
  };
}

function openWindow(session: Session): BrowserWindow {
  const window = new BrowserWindow({
    title: app.getName(),
    width: 720,
    height: 560,
    minWidth: 560,
    minHeight: 320,
    show: false,
    // Set to the background of the page, so that the window does not flash when it opens.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0c0d10' : '#fbfbfc',
    ...desktop.windowOptions,
    webPreferences: {
      preload: buildPaths.preload,
      session,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // The spelling checker would download its dictionaries.
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.on('page-title-updated', (event) => event.preventDefault());
  return window;
}
