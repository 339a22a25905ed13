import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Action, perform } from './actions.ts';
import { app, becomeReady, record } from './electron.ts';

/**
 * Runs a built main module with the stand-in for Electron, as a process of its own:
 * `host.ts <main.js> <json of HostOptions> [arguments]`. The parent sends actions, and is sent their results.
 */
export interface HostOptions {
  packaged: boolean;
  isFirst: boolean;
  platform: 'linux' | 'darwin';
}

const [main = '', json = '', ...args] = process.argv.slice(2);
const { packaged, isFirst, platform } = JSON.parse(json) as HostOptions;
Object.assign(app, { isPackaged: packaged });
// As Electron has them: only an app that is not packed is named by its folder.
process.argv = [process.execPath, ...(packaged ? [] : [dirname(main)]), ...args];
record.isFirst = isFirst;
Object.defineProperty(process, 'platform', { value: platform });

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

process.on('message', ({ id, action }: { id: number; action: Action }) => {
  perform(action).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});

// Without its test nothing else would end it.
process.once('disconnect', () => process.exit());

await import(pathToFileURL(main).href);
becomeReady();
