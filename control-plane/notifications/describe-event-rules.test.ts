import { expect, test } from 'vitest';
import { describeEvent } from './describe-event-rules.ts';

const device = { id: 'dev_1', hostname: 'mac', user: 'ada' };
const revoked = (hostname: string, by = 'ada@example.test') =>
  describeEvent({
    event: 'device.revoked',
    tenantId: 'tnt_1',
    device: { ...device, hostname },
    by,
  });

test('a title is one line of visible characters, and the length of a text is bounded', () => {
  const { facts } = revoked(`mac\n\u202Eevil\u0007${'x'.repeat(5000)}`, 'y'.repeat(9000));
  expect(facts.title).toMatch(/^mac evil x+…$/);
  expect([facts.title.length, facts.text.length]).toEqual([300, 2000]);
});

test('events of all devices have one cause, but those of each policy have their own', () => {
  expect(revoked('one').cause).toBe(revoked('two').cause);
  const budget = (id: string) =>
    describeEvent({
      event: 'budget.reached',
      tenantId: 'tnt_1',
      policy: { id, name: 'p' },
      agent: 'billing',
      budget: 'Daily cost limit',
      percent: 85,
      threshold: 80,
      used: '$8.500',
      max: '$10.000',
    });
  expect(budget('pol_1').cause).not.toBe(budget('pol_2').cause);
  expect(budget('pol_1').facts).toMatchObject({
    title: 'Daily cost limit for billing is 85% used',
    text: '$8.500 of $10.000',
    threshold: 80,
    path: '/policies/pol_1',
  });
});
