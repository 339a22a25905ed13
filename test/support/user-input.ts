import type { Locator, Page } from 'playwright-core';

/** Operates the console like a user, and counts clicks and typed texts. */
export interface UserInput {
  isKeyboard: boolean;
  /** The number of clicks, or of Enter and Space on the focused element. */
  presses: number;
  typed: number;
  press(target: Locator): Promise<void>;
  /** Chooses an option. Counts as two presses: one opens the list, one chooses the option. */
  choose(select: Locator, value: string): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /**
   * Follows a link in the sidebar. In narrow windows the sidebar is behind a button, but Home has
   * the same links.
   */
  openPage(name: string): Promise<void>;
}

const linkOf = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

export function mouse(page: Page): UserInput {
  const input: UserInput = {
    isKeyboard: false,
    presses: 0,
    typed: 0,
    async press(target) {
      await target.click();
      input.presses += 1;
    },
    async choose(select, value) {
      await select.selectOption(value);
      input.presses += 2;
    },
    async type(field, text) {
      await field.fill(text);
      input.typed += 1;
    },
    openPage: (name) => follow(page, input, name),
  };
  return input;
}

async function follow(page: Page, input: UserInput, name: string): Promise<void> {
  const onHome = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
  if (await onHome.isVisible()) return input.press(onHome);
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await input.press(menu);
  await input.press(linkOf(page, name));
}

/** More than the number of focusable elements on any page. */
const MOST_TABS = 500;

/** Uses only the keyboard: Tab, arrows, Enter and Space. */
export function keyboard(page: Page): UserInput {
  const hasFocus = (target: Locator) =>
    target.evaluate((element) => element === document.activeElement);
  const focusWithTab = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let i = 0; i < MOST_TABS; i += 1) {
      if (await hasFocus(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the Tab key does not reach ${String(target)}`);
  };
  const kindOf = (target: Locator) =>
    target.evaluate((element) => element.getAttribute('type') ?? element.localName);
  const input: UserInput = {
    isKeyboard: true,
    presses: 0,
    typed: 0,
    async press(target) {
      const kind = await kindOf(target);
      if (kind === 'radio') await focusRadio(page, target);
      else if (kind === 'tr') await focusRow(page, target);
      else await focusWithTab(target);
      if (kind !== 'radio') await page.keyboard.press('Enter');
      input.presses += 1;
    },
    async choose(select, value) {
      await focusWithTab(select);
      const options = await select.locator('option').count();
      for (let i = 0; i < options && (await select.inputValue()) !== value; i += 1)
        await page.keyboard.press('ArrowDown');
      input.presses += 1;
    },
    async type(field, text) {
      await focusWithTab(field);
      await page.keyboard.type(text);
      input.typed += 1;
    },
    openPage: (name) => follow(page, input, name),
  };
  return input;
}

/** Tab focuses only the checked radio button of a group; arrows move to the others. */
async function focusRadio(page: Page, target: Locator): Promise<void> {
  const inGroup = () =>
    target.evaluate(
      (radio) =>
        document.activeElement instanceof HTMLInputElement &&
        document.activeElement.name === (radio as HTMLInputElement).name,
    );
  for (let i = 0; i < MOST_TABS && !(await inGroup()); i += 1) await page.keyboard.press('Tab');
  for (let i = 0; i < MOST_TABS && !(await target.isChecked()); i += 1)
    await page.keyboard.press('ArrowDown');
}

/** `j` moves to the next row. */
async function focusRow(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < MOST_TABS; i += 1) {
    if (await target.evaluate((row) => row === document.activeElement)) return;
    await page.keyboard.press('j');
  }
  throw new Error(`the keys of the list do not reach ${String(target)}`);
}
