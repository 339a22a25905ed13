import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { About, Bridge, StatusMessage } from '#agent/electron/bridge.ts';
import { serveFile } from '#agent/electron/window-files.ts';

/** The responses of the app to the page of its window. */
export type StatusHandlers = Pick<Bridge, 'getStatus' | 'getExchange' | 'pause' | 'resume'> & {
  about?: Partial<About>;
};

export interface StatusPage {
  page: Page;
  /** Errors reported by the browser, including violations of the Content Security Policy. */
  browserErrors: string[];
  pushStatus: (status: StatusMessage) => Promise<void>;
}

interface StatusWindow {
  pushStatus: (status: StatusMessage) => void;
}

/**
 * Opens the page of the window in a real browser, with a bridge like that of the preload script.
 */
export async function openStatusPage(
  browser: Browser,
  folder: string,
  handlers: StatusHandlers,
  options: BrowserContextOptions = { viewport: { width: 720, height: 560 } },
): Promise<StatusPage> {
  const page = await browser.newPage(options);
  const browserErrors: string[] = [];
  page.on('pageerror', (error) => browserErrors.push(String(error)));
  page.on('console', (message) => browserErrors.push(message.text()));
  for (const name of ['getStatus', 'getExchange', 'pause', 'resume'] as const)
    await page.exposeFunction(`app_${name}`, handlers[name]);
  const about = { name: 'Gatehouse', version: '0.1.0', locale: 'en-GB', ...handlers.about };
  await page.addInitScript((about) => {
    const listeners = new Set<(status: unknown) => void>();
    const app = window as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    Object.assign(window, {
      pushStatus: (status: unknown) => listeners.forEach((listener) => listener(status)),
      agent: {
        getAbout: async () => about,
        getStatus: () => app['app_getStatus']?.(),
        getExchange: (id: string) => app['app_getExchange']?.(id),
        pause: () => app['app_pause']?.(),
        resume: () => app['app_resume']?.(),
        onStatus(listener: (status: unknown) => void) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
    });
  }, about);
  await serveWindow(page, folder);
  const pushStatus = (status: StatusMessage): void =>
    (window as unknown as StatusWindow).pushStatus(status);
  return { page, browserErrors, pushStatus: (status) => page.evaluate(pushStatus, status) };
}

/** Serves the files of the window as the app does, with its Content Security Policy. */
export async function serveWindow(page: Page, folder: string): Promise<void> {
  await page.route('**/*', async (route) => {
    const answer = await serveFile(folder, route.request().url());
    const { status, headers } = answer;
    const body = Buffer.from(await answer.arrayBuffer());
    await route.fulfill({ status, headers: Object.fromEntries(headers), body });
  });
  await page.goto('http://status.test/index.html');
}
