import { app, record } from './electron.ts';
import { preventable } from './preventable.ts';

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
      from: 'page' | 'inner frame' | 'nobody';
      given?: unknown[];
    }
  | { do: 'page is now'; url: string }
  | { do: 'take news' };

type Deeds = { [D in Action['do']]: (action: Extract<Action, { do: D }>) => unknown };

const deeds: Deeds = {
  look: () => look(),
  choose: ({ label }) =>
    itemsOfTray()
      .find((item) => item.label === label)
      ?.click?.(),
  'app event': ({ event }) => void app.emit(event),
  'quit twice': () => {
    app.quit();
    app.quit();
  },
  'close window': () => theWindow().close(),
  'crash window': () =>
    void theWindow().webContents.emit('render-process-gone', {}, { reason: 'crashed' }),
  'page event': ({ event }) => wasPrevented(event),
  'open new window': ({ url }) => theWindow().webContents.openWindow(url),
  permission: ({ permission }) => theSession().grants(permission),
  fetch: ({ url }) => fetchAsPage(url),
  ask: (action) => ask(action),
  'page is now': ({ url }) => void (theWindow().webContents.mainFrame.url = url),
  'take news': () => theWindow().webContents.sent.splice(0),
};

/** Does it, and answers what came of it as plain data, once the window that it opened has loaded. */
export async function perform(action: Action): Promise<unknown> {
  const result = await (deeds[action.do] as (action: Action) => unknown)(action);
  await Promise.all(record.windows.map((window) => window.loaded));
  return result;
}

const itemsOfTray = () => record.tray?.menu?.items ?? [];

function theWindow() {
  const [window] = record.windows;
  if (!window) throw new Error('no window is open');
  return window;
}

const theSession = () => theWindow().options.webPreferences.session;

function look() {
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
  const { webContents } = theWindow();
  const target = event === 'will-download' ? theSession() : webContents;
  target.emit(event, prevented);
  return prevented.defaultPrevented;
}

async function fetchAsPage(url: string) {
  const answer = await theSession().fetch(url);
  const { status, headers, type } = answer;
  return {
    status,
    type,
    policy: headers.get('content-security-policy'),
    text: await answer.text(),
  };
}

async function ask({ question, from, given = [] }: Extract<Action, { do: 'ask' }>) {
  const { mainFrame } = theWindow().webContents;
  const frames = {
    page: mainFrame,
    'inner frame': { ...mainFrame },
    nobody: null,
  };
  const handler = record.handlers.get(question);
  if (!handler) throw new Error(`No handler registered for '${question}'`);
  return structuredClone(await handler({ senderFrame: frames[from] }, ...given));
}
