import { expect, test } from 'vitest';
import { shortcutOf } from './shortcut-keys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test.each([
  [press('k', { ctrlKey: true }), 'palette'],
  [press('K', { metaKey: true }), 'palette'],
  [press('/'), 'search'],
  [press('?'), 'keys'],
  [press('g'), 'go'],
  [press('k'), undefined],
  [press('g', { ctrlKey: true }), undefined],
  [press('k', { ctrlKey: true, altKey: true }), undefined],
] as const)('outside of fields, %o triggers %s', (pressed, shortcut) => {
  expect(shortcutOf(pressed, false)).toBe(shortcut);
});

test('in a field, only the palette can be opened', () => {
  expect(shortcutOf(press('/'), true)).toBeUndefined();
  expect(shortcutOf(press('g'), true)).toBeUndefined();
  expect(shortcutOf(press('k', { ctrlKey: true }), true)).toBe('palette');
});
