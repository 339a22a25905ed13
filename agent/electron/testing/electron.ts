import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { createSession, type StandInSession } from './electron-session.ts';
import { createWebContents, type StandInWebContents } from './electron-web-contents.ts';

/** An event whose default action a listener can prevent. */
export interface Preventable {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable(): Preventable {
  const event = {
    defaultPrevented: false,
    preventDefault: () => void (event.defaultPrevented = true),
  };
  return event;
}

/**
 * A stand-in for the `electron` module: it records the calls of the app and rejects those that
 * Electron rejects.
 */

let ready = false;
const becameReady = Promise.withResolvers<void>();
const once = new Set<string>();

const onlyAfterReady = (what: string): void => {
  if (!ready) throw new Error(`${what} cannot be used before the app is ready`);
};
const onlyBeforeReady = (what: string): void => {
  if (ready) throw new Error(`${what} must be called before the app is ready`);
};
const onlyOnce = (what: string): void => {
  if (once.has(what)) throw new Error(`${what}: attempted to register a second time`);
  once.add(what);
};

export const record = {
  windows: [] as BrowserWindow[],
  paths: {} as Record<string, string>,
  sessions: {} as Record<string, StandInSession>,
  schemes: [] as unknown[],
  activationPolicy: 'regular',
  hardwareAcceleration: true,
  applicationMenu: undefined as Menu | null | undefined,
  tray: null as Tray | null,
  handlers: new Map<string, (event: unknown, ...args: unknown[]) => unknown>(),
  isFirst: true,
};

/** Makes the app ready, as Electron does after it has evaluated the main module. */
export function becomeReady(): void {
  ready = true;
  becameReady.resolve();
}

const application = {
  isPackaged: false,
  getName: () => 'Stand-in',
  getVersion: () => '1.2.3',
  getLocale: () => 'en-GB',
  whenReady: () => becameReady.promise,
  requestSingleInstanceLock: () => record.isFirst,
  setActivationPolicy: (policy: string) => void (record.activationPolicy = policy),
  focus: () => {},
  setPath(name: string, path: string) {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path}`);
    record.paths[name] = path;
  },
  disableHardwareAcceleration() {
    onlyBeforeReady('app.disableHardwareAcceleration()');
    record.hardwareAcceleration = false;
  },
  quit() {
    app.emit('before-quit', preventable());
    for (const window of record.windows.slice()) window.close();
    const event = preventable();
    app.emit('will-quit', event);
    if (!event.defaultPrevented) app.exit(0);
  },
  exit: (code: number) => process.exit(code),
};
export const app = Object.assign(new EventEmitter(), application);

export const nativeTheme = { shouldUseDarkColors: false };

export const protocol = {
  registerSchemesAsPrivileged(schemes: unknown[]) {
    onlyBeforeReady('protocol.registerSchemesAsPrivileged()');
    onlyOnce('privileged schemes');
    record.schemes = schemes;
  },
};

export const session = {
  fromPartition(name: string): StandInSession {
    onlyAfterReady('session');
    return (record.sessions[name] ??= createSession());
  },
};

export const ipcMain = {
  handle(channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) {
    onlyOnce(`handler for '${channel}'`);
    record.handlers.set(channel, handler);
  },
};

interface Item {
  label?: string;
  role?: string;
  type?: string;
  enabled?: boolean;
  click?: () => void;
  submenu?: Item[];
}

export class Menu {
  items: Item[] = [];

  static buildFromTemplate(items: Item[]): Menu {
    for (const { label, role, type, submenu } of items) {
      if (label === undefined && role === undefined && type !== 'separator')
        throw new Error('Invalid template for MenuItem: must have label, role or type');
      if (submenu) Menu.buildFromTemplate(submenu);
    }
    return Object.assign(new Menu(), { items });
  }

  static setApplicationMenu(menu: Menu | null): void {
    record.applicationMenu = menu;
  }
}

export class Tray {
  icon: string;
  menu: Menu | null = null;
  toolTip = '';

  constructor(icon: string) {
    onlyAfterReady('Tray');
    if (!existsSync(icon)) throw new Error(`Failed to load image from path '${icon}'`);
    this.icon = icon;
    record.tray = this;
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setContextMenu(menu: Menu): void {
    this.menu = menu;
  }
}

interface WindowOptions {
  title: string;
  show?: boolean;
  webPreferences: { preload: string; session: StandInSession };
}

export class BrowserWindow extends EventEmitter {
  options: WindowOptions;
  webContents: StandInWebContents;
  title: string;
  shown: boolean;
  /** Resolves once the page has loaded or failed to load. */
  loaded: Promise<unknown> = Promise.resolve();

  constructor(options: WindowOptions) {
    super();
    onlyAfterReady('BrowserWindow');
    if (!isAbsolute(options.webPreferences.preload) || !existsSync(options.webPreferences.preload))
      throw new Error(`Unable to load preload script: ${options.webPreferences.preload}`);
    this.options = options;
    this.title = options.title;
    this.shown = options.show ?? true;
    this.webContents = createWebContents();
    record.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  loadURL(url: string): Promise<void> {
    const loading = this.#load(url);
    this.loaded = loading.catch(() => {});
    return loading;
  }

  async #load(url: string): Promise<void> {
    const response = await this.options.webPreferences.session.fetch(url);
    if (!response.ok) throw new Error(`ERR_FAILED (-2) loading '${url}'`);
    this.webContents.mainFrame.url = url;
    const event = preventable();
    this.emit('page-title-updated', event);
    if (!event.defaultPrevented) this.title = 'title of the page';
    this.emit('ready-to-show');
  }

  show(): void {
    this.shown = true;
  }

  focus(): void {}

  close(): void {
    this.destroy();
  }

  destroy(): void {
    record.windows.splice(record.windows.indexOf(this), 1);
    this.emit('closed');
    if (record.windows.length > 0) return;
    if (app.listenerCount('window-all-closed') === 0) app.exit(0);
    app.emit('window-all-closed');
  }
}
