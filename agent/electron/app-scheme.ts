import { protocol, type Session } from 'electron';
import { serveFile } from './window-files.ts';

export const APP_SCHEME = 'app';
export const startPage = `${APP_SCHEME}://status/index.html`;

/**
 * Registers `app:` as a scheme with an origin, which the Content Security Policy of the window needs.
 * `corsEnabled` is for module scripts, which are always fetched with CORS. Call before the app is
 * ready.
 */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
}

/** Serves the files of the window in a session. */
export function serveWindowFiles(session: Session, folder: string): void {
  session.protocol.handle(APP_SCHEME, (request) => serveFile(folder, request.url));
}
