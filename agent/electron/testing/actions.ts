import { app, record, preventable } from './electron.ts';

/** An action of the system, the user or a page, or a query of the app's state. */
export type Action =
  | { do: 'snapshot' }
  | { do: 'choose'; label: string }
  | { do: 'app event'; event: 'second-instance' | 'activate' }
  | { do: 'quit twice' }
  | { do: 'close window' }
  | { do: 'crash window' }
  | { do: 'page event'; event: string }
  | { do: 'open new window'; url: string }
  | { do: 'permission'; permission: string }
  | { do: 'fetch'; url: string }
  | {
      do: 'send request';
      channel: string;
      from: 'page' | 'inner frame' | 'no frame';
      parameters?: unknown[];
    }
  | { do: 'set page'; url: string }
  | { do: 'take messages' };

type ActionHandlers = { [D in Action['do']]: (action: Extract<Action, { do: D }>) => unknown };

const handlers: ActionHandlers = {
  snapshot: () => takeSnapshot(),
  choose: ({ label }) =>
    itemsOfTray()
      .find((item) => item.label === label)
      ?.click?.(),
  'app event': ({ event }) => void app.emit(event),
  'quit twice': () => {
    app.quit();
    app.quit();
  },
  'close window': () => statusWindow().close(),
  'crash window': () =>
    void statusWindow().webContents.emit('render-process-gone', {}, { reason: 'crashed' }),
  'page event': ({ event }) => wasPrevented(event),
  'open new window': ({ url }) => statusWindow().webContents.openWindow(url),
  permission: ({ permission }) => windowSession().grants(permission),
  fetch: ({ url }) => fetchAsPage(url),
  'send request': (action) => sendRequest(action),
  'set page': ({ url }) => void (statusWindow().webContents.mainFrame.url = url),
  'take messages': () => statusWindow().webContents.sent.splice(0),
};

/** Performs an action and returns its result as plain data, once all windows have loaded. */
export async function perform(action: Action): Promise<unknown> {
  const result = await (handlers[action.do] as (action: Action) => unknown)(action);
  await Promise.all(record.windows.map((window) => window.loaded));
  return result;
}

const itemsOfTray = () => record.tray?.menu?.items ?? [];

function statusWindow() {
  const [window] = record.windows;
  if (!window) throw new Error('no window is open');
  return window;
}

const windowSession = () => statusWindow().options.webPreferences.session;

function takeSnapshot() {
  const { schemes, paths, activationPolicy, hardwareAcceleration, applicationMenu, tray } = record;
  return {
    schemes,
    paths,
    activationPolicy,
    hardwareAcceleration,
    partitions: Object.keys(record.sessions),
    applicationMenu: applicationMenu && applicationMenu.items,
    windows: record.windows.map(({ options, shown, title }) => {
      const { session: _session, ...webPreferences } = options.webPreferences;
      return { options: { ...options, webPreferences }, shown, title };
    }),
    tray: tray && {
      icon: tray.icon,
      toolTip: tray.toolTip,
      menu: itemsOfTray().map(({ label, enabled }) => ({ label, enabled })),
    },
  };
}

function wasPrevented(event: string): boolean {
  const prevented = preventable();
  const { webContents } = statusWindow();
  const target = event === 'will-download' ? windowSession() : webContents;
  target.emit(event, prevented);
  return prevented.defaultPrevented;
}

async function fetchAsPage(url: string) {
  const response = await windowSession().fetch(url);
  const { status, headers, type } = response;
  return {
    status,
    type,
    policy: headers.get('content-security-policy'),
    text: await response.text(),
  };
}

async function sendRequest({
  channel,
  from,
  parameters = [],
}: Extract<Action, { do: 'send request' }>) {
  const { mainFrame } = statusWindow().webContents;
  const frames = {
    page: mainFrame,
    'inner frame': { ...mainFrame },
    'no frame': null,
  };
  const handler = record.handlers.get(channel);
  if (!handler) throw new Error(`No handler registered for '${channel}'`);
  return structuredClone(await handler({ senderFrame: frames[from] }, ...parameters));
}
