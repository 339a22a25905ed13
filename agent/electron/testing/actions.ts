import { app, record, preventable } from './electron.ts';

/** What a test has the system, the user or a page do. */
export type Action =
  | { do: 'look' }
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
      do: 'ask';
      question: string;
      from: 'page' | 'inner frame' | 'no frame';
      given?: unknown[];
    }
  | { do: 'page is now'; url: string }
  | { do: 'take news' };

type ActionHandlers = { [D in Action['do']]: (action: Extract<Action, { do: D }>) => unknown };

const deeds: ActionHandlers = {
  look: () => takeSnapshot(),
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
  ask: (action) => ask(action),
  'page is now': ({ url }) => void (statusWindow().webContents.mainFrame.url = url),
  'take news': () => statusWindow().webContents.sent.splice(0),
};

/** Does it, and answers what came of it as plain data, once the window that it opened has loaded. */
export async function perform(action: Action): Promise<unknown> {
  const result = await (deeds[action.do] as (action: Action) => unknown)(action);
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
  const answer = await windowSession().fetch(url);
  const { status, headers, type } = answer;
  return {
    status,
    type,
    policy: headers.get('content-security-policy'),
    text: await answer.text(),
  };
}

async function ask({ question, from, given = [] }: Extract<Action, { do: 'ask' }>) {
  const { mainFrame } = statusWindow().webContents;
  const frames = {
    page: mainFrame,
    'inner frame': { ...mainFrame },
    'no frame': null,
  };
  const handler = record.handlers.get(question);
  if (!handler) throw new Error(`No handler registered for '${question}'`);
  return structuredClone(await handler({ senderFrame: frames[from] }, ...given));
}
