import { app, session, type Session, type WebContents } from 'electron';
import { appScheme, serveWindowFiles } from './app-scheme.ts';
import { built } from './built.ts';

/** Takes from every page, whatever opened it, the ways out of the window. */
export function setupHardening(): void {
  // A window that is rarely open needs no process for the graphics card.
  app.disableHardwareAcceleration();
  app.on('web-contents-created', (_event, contents) => confine(contents));
}

function confine(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

// The developer tools, which a packaged app does not have, are pages too.
const schemes = app.isPackaged ? [appScheme] : [appScheme, 'devtools'];
const isOurs = (url: string): boolean => schemes.some((scheme) => url.startsWith(`${scheme}:`));

/** A session that stores nothing, is permitted nothing and reaches only the files of the window. */
export function createConfinedSession(): Session {
  const confined = session.fromPartition('status-window', { cache: false });
  confined.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  confined.setPermissionCheckHandler(() => false);
  confined.setDevicePermissionHandler(() => false);
  confined.on('will-download', (event) => event.preventDefault());
  serveWindowFiles(confined, built.windowFiles);
  confined.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOurs(url) }));
  return confined;
}
