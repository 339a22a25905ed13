import { expect, test, vi } from 'vitest';
import { findingsIn, personalDataChecks } from './checks.ts';
import { personalData } from './named-detectors.ts';

test('a text is searched once for all policies that look for the same data', () => {
  const [email] = personalData.email;
  if (!email) throw new Error('no detector of email addresses');
  const find = vi.spyOn(email, 'find');
  const texts = ['Write to ada@example.test', 'Call Ada'].map((text) => ({ member: null, text }));
  const namesFor = (names: Parameters<typeof personalDataChecks>[0]) =>
    findingsIn(personalDataChecks(names), texts).map(({ matched }) => matched);
  expect(namesFor(['email'])).toEqual(['email']);
  expect(namesFor(['iban', 'email'])).toEqual(['email']);
  expect(find).toHaveBeenCalledOnce();
  find.mockRestore();
});
