// @module-tag chromium

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentStatus } from '#agent/core/status.ts';
import type { StatusMessage } from '#agent/electron/bridge.ts';
import { buildWindow } from '#agent/electron/build.ts';
import { encodeStatus } from '#agent/electron/status-message.ts';
import { busyStatus, captureOf, idleStatus } from '#agent/electron/testing/sample-status.ts';
import { launchChromium } from '../support/chromium.ts';
import { captureOf as exchangeOf } from '../support/device-reports.ts';
import { openStatusPage, type StatusPage } from '../support/status-page.ts';

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'window-looks-'));
  await buildWindow(folder);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const until = Date.UTC(2026, 10, 22, 14, 30);
const states: Record<string, AgentStatus> = {
  'waiting for configuration': {
    ...idleStatus,
    phase: 'waiting for configuration',
    api_host: null,
    device_id: null,
    identity_expires_at: null,
    key_binding: 'none',
    connected: false,
    config_version: null,
    problems: ['managed preferences: /Library/Managed Preferences/x.plist: no such file yet'],
  },
  'waiting for approval': { ...idleStatus, phase: 'waiting for approval', connected: false },
  observing: idleStatus,
  capturing: busyStatus,
  'capturing many': {
    ...busyStatus,
    ...captureOf(...Array.from({ length: 12 }, (_, at) => `region-${at}.long-name.example.com`)),
  },
  paused: { ...busyStatus, pause: { allowed_minutes: 30, until } },
  'tool checks alone': {
    ...idleStatus,
    coding_agents: {
      level: 'off',
      tool_checks: 'closed',
      files: busyStatus.coding_agents.files.filter(({ purpose }) => purpose === 'tool_checks'),
    },
  },
  problems: {
    ...busyStatus,
    connected: false,
    key_binding: 'locked',
    problems: [
      'control plane: cannot reach https://gatehouse.example:8443: ECONNREFUSED',
      'flows: not permitted: run the agent as root',
      `capture (transparent): ${'x'.repeat(200)}`,
      'guard: the catalog of this agent does not have: "x.example"',
      'coding agents: /etc/codex/managed_config.toml: not permitted',
      'mcp gateway: calls are not recorded yet: ECONNREFUSED',
      'tool checks: the control plane does not answer',
    ],
    unread_files: ['inventory: /home/ada/project/.mcp.json: not JSON'],
  },
};
const zooms = { '100 %': 560, '200 %': 280 };

interface Look {
  width?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  forcedColors?: 'active';
}

function wire(status: AgentStatus): StatusMessage {
  const encoded = encodeStatus(status);
  if ('error' in encoded) throw new Error(encoded.error);
  return encoded.message;
}

async function open(status: AgentStatus, look: Look = {}): Promise<StatusPage> {
  const { width = 560, colorScheme = 'light', locale = 'en-GB', forcedColors } = look;
  const opened = await openStatusPage(
    browser,
    folder,
    {
      getStatus: async () => wire(status),
      getExchange: async (id) => exchangeOf(id, '2026-11-22T13:02:04.000Z'),
      pause: async () => true,
      resume: async () => false,
      about: { locale },
    },
    {
      viewport: { width, height: 320 },
      // Simulates a zoom of 200 %.
      deviceScaleFactor: width < 500 ? 2 : 1,
      colorScheme,
      timezoneId: 'UTC',
      ...(forcedColors && { forcedColors }),
    },
  );
  await opened.page.getByRole('region').first().waitFor();
  return opened;
}

/** Opens the page and shows each state in turn. */
async function eachState(look: Look, check: (page: Page) => Promise<void>): Promise<void> {
  const { page, pushStatus, browserErrors } = await open(idleStatus, look);
  for (const state of Object.values(states)) {
    await pushStatus(wire(state));
    await openAll(page);
    await check(page);
  }
  expect(browserErrors).toEqual([]);
  await page.close();
}

describe('at the smallest window size no content is cut off or outside', () => {
  const looks = Object.entries(zooms).flatMap(([zoom, width]) =>
    ['en-GB', 'en-XA'].map((locale) => ({ zoom, width, locale })),
  );
  // Texts in en-XA are 40 % longer.
  test.each(looks)('at $zoom, in $locale', (look) =>
    eachState(look, async (page) => expect(await cutOff(page)).toEqual([])),
  );
});

describe('contrast', () => {
  test.each(['light', 'dark'] as const)('of every text is at least 4.5 in %s', (colorScheme) =>
    eachState({ width: 720, colorScheme }, async (page) =>
      expect(await lowContrasts(page)).toEqual([]),
    ),
  );

  test('uses forced system colours, and no symbol is lost', async () => {
    const { page } = await open(states['capturing'] ?? idleStatus, { forcedColors: 'active' });
    const marks = await page.evaluate(() => {
      const dot = document.querySelector('.state');
      const lock = document.querySelector('svg');
      return [
        dot && getComputedStyle(dot, '::before').borderTopWidth,
        lock && getComputedStyle(lock).stroke !== getComputedStyle(document.body).backgroundColor,
      ];
    });
    expect(marks).toEqual(['4px', true]);
    await page.close();
  });
});

describe('by keyboard', () => {
  test('every control is reached in reading order', async () => {
    const { page } = await open(busyStatus, { width: 720 });
    const reached: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(
            document.activeElement as Element,
          );
          return `${document.activeElement?.tagName} ${outlineStyle} ${outlineWidth}`;
        }),
      );
    }
    expect(reached).toEqual([
      'BUTTON solid 2px',
      ...Array.from({ length: 4 }, () => 'SUMMARY solid 2px'),
    ]);
    await page.close();
  });

  test('an exchange can be opened, and its text scrolls', async () => {
    const { page } = await open(busyStatus, { width: 720 });
    const exchange = page.getByRole('group').filter({ hasText: 'api.anthropic.com' });
    await exchange.locator('summary').focus();
    await page.keyboard.press('Enter');
    const sent = exchange.getByRole('region', { name: 'Request, as it was sent' });
    await sent.waitFor();
    await expect.poll(() => sent.textContent()).toBe('{"input":"Where is my order?"}');
    await page.keyboard.press('Tab');
    await expect.poll(() => sent.evaluate((one) => one === document.activeElement)).toBe(true);
    await expect
      .poll(() => exchange.getByRole('list').first().textContent())
      .toBe('2 × EMAIL1 × API_KEY');
    await page.close();
  });
});

test('screen readers get headings in order, and regions and tables with names', async () => {
  for (const width of Object.values(zooms)) {
    const { page } = await open(busyStatus, { width });
    const levels = await page.getByRole('heading').evaluateAll((all) => all.map((h) => h.tagName));
    expect(levels[0]).toBe('H1');
    expect(new Set(levels.slice(1))).toEqual(new Set(['H2']));
    const regions = page.getByRole('region');
    for (const region of await regions.all())
      await expect
        .poll(() => region.evaluate((one) => one.ariaLabel ?? one.getAttribute('aria-labelledby')))
        .toBeTruthy();
    const hosts = page.getByRole('table', { name: 'What is recorded' });
    await expect
      .poll(() => hosts.getByRole('columnheader').allTextContents())
      .toEqual(['Host', 'Set for', 'Captured since']);
    await expect.poll(() => hosts.getByRole('cell').count()).toBe(6);
    await page.close();
  }
});

test('no element is animated', async () => {
  const { page } = await open(busyStatus);
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((one) => {
        const { animationName, transitionDuration } = getComputedStyle(one);
        return animationName !== 'none' || transitionDuration !== '0s';
      }).length,
  );
  expect(moving).toBe(0);
  await page.close();
});

test('every text is translated: the pseudo-locale contains no English letters', async () => {
  const { page, pushStatus } = await open(withoutLetters(idleStatus), { locale: 'en-XA' });
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en-XA');
  for (const state of Object.values(states)) {
    await pushStatus(wire(withoutLetters(state)));
    expect(await englishLeft(page)).toEqual([]);
  }
  await page.close();
});

test('the window says what a pause does not stop, and that the company sees it', async () => {
  const { page } = await open(states['paused'] ?? idleStatus);
  const capture = page.getByRole('region', { name: 'What is recorded' });
  await expect
    .poll(() => capture.locator('.headline').textContent())
    .toBe('Capture is paused until 14:30');
  await expect.poll(() => capture.textContent()).toContain('Your company still sees which AI apps');
  await expect.poll(() => capture.textContent()).toContain('and what is blocked');
  await expect.poll(() => capture.textContent()).toContain('Your company sees when you pause');
  await page.close();
});

test('a refused pause is reported', async () => {
  const { page, pushStatus } = await open({
    ...states['paused'],
    pause: busyStatus.pause,
  } as AgentStatus);
  // The permission was withdrawn meanwhile, so resuming returns that capture is still paused.
  await page.evaluate(() => Object.assign(window.agent, { resume: async () => true }));
  await pushStatus(wire(states['paused'] ?? idleStatus));
  await page.getByRole('button', { name: 'Resume capture' }).click();
  await expect
    .poll(() => page.getByRole('alert').textContent())
    .toContain('Capture was not changed');
  await page.close();
});

/** Opens all collapsible parts. */
const openAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });

/** Returns elements that are wider than the window or than their own box. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((one) => !one.closest('thead, pre'))
      .filter(
        (one) =>
          one.getBoundingClientRect().right > innerWidth + 0.5 ||
          (one instanceof HTMLElement &&
            one.scrollWidth > one.clientWidth + 1 &&
            one.clientWidth > 0),
      )
      .map((one) => `${one.tagName}.${one.className}: ${one.textContent?.slice(0, 60)}`),
  );

/** Returns texts whose contrast is below the 4.5 to 1 of WCAG. */
const lowContrasts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = (color: string): number[] => {
      if (!canvas) return [0, 0, 0];
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (color: number[]): number => {
      const [r = 0, g = 0, b = 0] = color.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (one: Element | null): number[] => {
      const color = rgb(one ? getComputedStyle(one).backgroundColor : 'white');
      return one === null || color[3] === 255 ? color : behind(one.parentElement);
    };
    return [...document.querySelectorAll('body *')]
      .filter((one) =>
        [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
      )
      .flatMap((one) => {
        const pair = [luminance(rgb(getComputedStyle(one).color)), luminance(behind(one))].sort(
          (a, b) => a - b,
        );
        const ratio = ((pair[1] ?? 0) + 0.05) / ((pair[0] ?? 0) + 0.05);
        return ratio < 4.5
          ? [`${ratio.toFixed(2)} ${one.className} ${one.textContent?.slice(0, 40)}`]
          : [];
      });
  });

/**
 * Returns visible or announced texts with two or more ASCII letters. Times are excluded, because
 * the system formats them.
 */
const englishLeft = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [];
    for (const one of document.querySelectorAll('body *')) {
      if (one.closest('time, script')) continue;
      for (const name of ['aria-label', 'title', 'data-column', 'alt', 'placeholder'])
        texts.push(one.getAttribute(name) ?? '');
      for (const node of one.childNodes)
        if (node.nodeType === 3) texts.push(node.textContent ?? '');
    }
    // The product name is not translated, and "and" between names comes from `Intl`.
    const known = new Set(['Gatehouse', 'and']);
    return texts.filter((text) =>
      (text.match(/[A-Za-z]{2,}/g) ?? []).some((word) => !known.has(word)),
    );
  });

const notData = new Set([
  'phase',
  'kind',
  'level',
  'purpose',
  'tool_checks',
  'reason',
  'store',
  'enabled_by',
  'set_by',
  'protocol',
  'started_at',
  'identity_expires_at',
  'key_binding',
  'newest_version',
]);

/**
 * Returns the status with digits instead of all text that is data, so that the remaining letters
 * are translated texts.
 */
function withoutLetters(status: AgentStatus): AgentStatus {
  const exchanges = status.exchanges.map((one) => ({ ...one, redactions: { '7': 1 } }));
  return JSON.parse(JSON.stringify({ ...status, exchanges }), (key, value: unknown) =>
    typeof value === 'string' && !notData.has(key) ? value.replaceAll(/[A-Za-z]/g, '7') : value,
  ) as AgentStatus;
}
