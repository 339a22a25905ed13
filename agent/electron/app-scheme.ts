import { protocol, type Session } from 'electron';
import { serveFile } from './window-files.ts';

export const APP_SCHEME = 'app';
export const startPage = `${APP_SCHEME}://status/index.html`;

/**
 * Makes `app:` a scheme with an origin of its own, as the policy of the window needs it. Module
 * scripts are fetched as cross-origin requests are, hence `corsEnabled`. Before the app is ready.
 */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true };
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }]);
}

/** Serves the files of the window to this session. */
export function serveWindowFiles(session: Session, folder: string): void {
  session.protocol.handle(APP_SCHEME, (request) => serveFile(folder, request.url));
}
