import { app } from 'electron';
import { type AgentConfig, readAgentConfig } from '#agent/config.ts';
import { createLog } from '#agent/node/log.ts';
import { startAgent } from '#agent/node/start-agent.ts';
import { printText, readCommandLine } from '#agent/tasks.ts';
import { registerAppScheme } from './app-scheme.ts';
import { desktop } from './desktop.ts';
import { exitWithError, setupFailures, setupQuit, setupReopening } from './lifecycle.ts';
import { setupHardening } from './hardening.ts';
import { setupIpc } from './ipc.ts';
import { createStatusWindow } from './status-window.ts';
import { setupTray } from './tray.ts';
import { setupUserData } from './user-data.ts';
import { createTranslator } from './messages/translator.ts';

/** The switches of the agent; Chromium has none of these. */
const ownSwitches = ['--help', '-h', '--json', '--purge'];

// An unpackaged app is started as `electron FOLDER`, which is one more argument.
const request = readCommandLine(withoutSwitches(process.argv.slice(app.isPackaged ? 1 : 2)));
// Not awaited: Electron becomes ready only after this module has been evaluated.
void handleRequest();

/**
 * Removes the arguments for Electron, Chromium and macOS, which may be anywhere: `--switch`,
 * `--switch=value`, `-psn_0_123` from the Finder, and settings with a value, `-AppleLanguages (en)`.
 */
function withoutSwitches(args: readonly string[]): string[] {
  return args.filter((arg, i) => {
    if (ownSwitches.includes(arg)) return true;
    return !arg.startsWith('-') && !/^-(Apple|NS)/.test(args[i - 1] ?? '');
  });
}

async function handleRequest(): Promise<void> {
  if (request.is === 'text') return app.exit(await printText(request));
  const read = readAgentConfig();
  if ('error' in read) return exitWithError(createLog({ level: 'error' }), read.error);
  if (request.is === 'task') return app.exit(await request.task(read.config));
  await start(read.config);
}

/** Starts the agent as a background app with a tray icon and a window on request. */
async function start(config: AgentConfig): Promise<void> {
  const log = createLog({ level: config.logLevel });
  setupFailures(log);
  try {
    setupUserData(config.stateDir);
    if (!app.requestSingleInstanceLock()) return app.exit(0);
    setupHardening();
    registerAppScheme();
    await app.whenReady();
    const translator = createTranslator(app.getLocale());
    desktop.setupBackground(translator);

    const agent = await startAgent({ ...config, log });
    setupQuit(agent, log);
    const statusWindow = createStatusWindow(log);
    setupReopening(statusWindow.show);
    setupIpc(agent, statusWindow, log);
    setupTray({ agent, translator, showWindow: statusWindow.show });
    log.info(`agent started, state in ${config.stateDir}`);
  } catch (error) {
    exitWithError(log, error instanceof Error ? error.message : String(error));
  }
}
