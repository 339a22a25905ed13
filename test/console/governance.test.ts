import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { setUpConsolePage } from '../support/console-page.ts';

const world = setUpConsolePage();
const { open, rowsOf, press, dialog } = world;

const openDetails = (row: Locator) => row.getByRole('button', { name: /^Details of/ }).click();

const createPolicy = (body: { name: string; category: string; rules: Record<string, unknown> }) =>
  world.service.byKey.policies.createPolicy({ body });

async function startRun(agent_name: string) {
  const { run_id } = await world.service.byKey.recording.startRun({ body: { agent_name } });
  return { run_id };
}

describe('policy evaluations', () => {
  let params: { run_id: string };
  beforeAll(async () => {
    const rules = { blocked_tools: ['shell'] };
    await createPolicy({ name: 'No shells', category: 'tool-allowlist', rules });
    params = await startRun('worker');
    for (const name of ['shell', 'search'])
      await world.service.byKey.recording.recordSpans({
        params,
        body: { spans: [{ name, kind: 'tool' }] },
      });
  });

  test('appear in the Governance tab of the run', async () => {
    await open(`/runs/${params.run_id}`);
    await world.page.getByRole('tab', { name: 'Governance' }).click();
    await world.page.waitForURL(/tab=governance/);
    const blocked = rowsOf('Evaluations').filter({ hasText: "'shell' is blocked" });
    await blocked.waitFor();
    await expect.poll(() => blocked.textContent()).toMatch(/No shells.*During run.*block.*1/);
    await expect.poll(() => rowsOf('Incidents').count()).toBe(1);
  });

  test('an incident is acknowledged with a note, resolved and reopened', async () => {
    await open('/incidents?status=open&action=block');
    const link = world.page.getByRole('link', { name: /^Incidents/ });
    await link.getByText('1', { exact: true }).waitFor();
    await rowsOf('Incidents').filter({ hasText: 'No shells' }).click();
    const panel = world.page.getByRole('region', { name: 'No shells' });
    await openDetails(rowsOf('Occurrences'));
    await panel.getByLabel('Note').fill('looking into it');
    await press('Acknowledge', panel);
    await world.page.getByText('No incident matches these filters').waitFor();
    await link.getByText('1', { exact: true }).waitFor({ state: 'detached' });
    await world.page.getByLabel('Status').selectOption('');
    await openDetails(rowsOf('Occurrences'));
    await expect.poll(() => panel.getByLabel('Note').inputValue()).toBe('looking into it');
    await press('Resolve', panel);
    await rowsOf('Occurrences').getByText('Resolved').waitFor();
    await press('Reopen', panel);
    await rowsOf('Occurrences').getByText('Open').waitFor();
    const { results } = await world.service.byOwner.incidents.listIncidents({ query: {} });
    expect(results[0]).toMatchObject({ status: 'open', note: 'looking into it' });
  });

  test('before a run appear among all evaluations', async () => {
    const body = { agent_name: 'checker', tools: ['shell'] };
    await world.service.byKey.evaluations.checkPolicy({ body });
    await open('/incidents?tab=evaluations&phase=before_workflow&agent=checker');
    await openDetails(rowsOf('Evaluations'));
    await world.page.getByText('evaluated before the run').waitFor();
  });
});

describe('a policy', () => {
  test('is created with the form of its category; errors are shown at their fields', async () => {
    await open('/policies');
    await press('Create policy');
    await world.page.getByLabel('Name', { exact: true }).fill('Steady pace');
    await world.page.getByRole('radio', { name: /^Rate limit/ }).check();
    await world.page.getByLabel('Max per hour').fill('many');
    await world.page.getByRole('textbox', { name: 'Agents' }).fill('paced');
    await press('Create policy');
    await world.page.getByText('Correct the marked fields.').waitFor();
    const field = world.page.getByLabel('Max per hour');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.getAttribute('aria-describedby');
    await expect
      .poll(() => world.page.locator(`[id="${described}"]`).textContent())
      .toBe('Enter a number.');
    await field.fill('20');
    await world.page.getByLabel('Max per minute').fill('');
    await press('Create policy');
    await world.page.getByRole('heading', { level: 1, name: 'Steady pace' }).waitFor();
    const { results } = await world.service.byKey.policies.listPolicies({
      query: { category: 'rate-limit' },
    });
    expect(results[0]).toMatchObject({ scope: { agents: ['paced'] } });
    expect(results[0]?.rules).toEqual({
      max_per_hour: 20,
      max_concurrent: 5,
      burst_window_seconds: 10,
    });
  });

  test('is tested before it is saved, and every version can be restored', async () => {
    for (let i = 0; i < 3; i += 1) await startRun('paced');
    await open('/policies');
    await world.page.getByRole('link', { name: 'Steady pace' }).click();
    await world.page.getByLabel('Max per hour').fill('2');
    await press('Test on past runs');
    await world.page.getByText('would have affected 1 of the 3').waitFor();
    await expect.poll(() => rowsOf('By agent').textContent()).toContain('paced');
    await expect.poll(() => rowsOf('Examples').textContent()).toContain('Per-hour limit reached');
    await world.page.getByLabel('Change note').fill('too fast');
    await press('Save');
    await world.page.getByRole('form', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    await world.page.getByRole('tab', { name: 'Versions' }).click();
    const changed = rowsOf('Versions').first();
    await changed.getByText('too fast').waitFor();
    await press('Restore', rowsOf('Versions').nth(1));
    await press('Restore', dialog());
    await rowsOf('Versions').nth(2).waitFor();
    await world.page.getByRole('tab', { name: 'Policy', exact: true }).click();
    await expect.poll(() => world.page.getByLabel('Max per hour').inputValue()).toBe('20');
  });

  test('a concurrent change is rejected, not overwritten', async () => {
    const rules = { timeout_seconds: 10 };
    const { id } = await createPolicy({ name: 'Contested', category: 'operations', rules });
    await open(`/policies/${id}`);
    await world.page.getByLabel('Timeout, s').fill('20');
    await world.service.byKey.policies.updatePolicy({
      params: { id },
      body: { rules: { timeout_seconds: 30 } },
    });
    await press('Save');
    await world.page
      .getByRole('alert')
      .getByText(/version/i)
      .waitFor();
    await press('Discard');
    await expect.poll(() => world.page.getByLabel('Timeout, s').inputValue()).toBe('30');
  });

  test('is disabled in the list, and deleted after a confirmation', async () => {
    const { id } = await createPolicy({ name: 'Brief', category: 'operations', rules: {} });
    await open('/policies?category=operations');
    const enabled = world.page.getByRole('switch', { name: 'Brief is enabled' });
    await enabled.click();
    await dialog().getByLabel('Note (optional)').fill('over the weekend');
    await press('Turn off', dialog());
    await expect.poll(() => enabled.getAttribute('aria-checked')).toBe('false');
    expect((await world.service.byKey.policies.getPolicy({ params: { id } })).enabled).toBe(false);
    await world.page.getByRole('link', { name: 'Brief' }).click();
    await press('Delete');
    await press('Delete policy', dialog());
    await world.page.waitForURL(/\/policies$/);
    await expect(world.service.byKey.policies.getPolicy({ params: { id } })).rejects.toThrow(
      /Brief|pol_/,
    );
  });

  test('has independent radio groups with the same options', async () => {
    await open('/policies/new');
    await world.page.getByText(/^Calls of captured apps are only evaluated/).waitFor();
    await world.page.getByRole('radio', { name: /^Content/ }).check();
    await world.page.getByText(/^Calls of captured apps are blocked only where/).waitFor();
    const block = (of: string) =>
      world.page.getByRole('group', { name: of }).getByRole('radio', { name: 'Block' });
    await block('PII detection').check();
    await block('Credential detection').check();
    await expect.poll(() => block('PII detection').isChecked()).toBe(true);
  });

  test('nested rules are saved and loaded unchanged', async () => {
    const rules = {
      allowed_hours: { start: 8, end: 18 },
      maintenance_windows: [{ day: 6, start: 1, end: 3 }],
    };
    const { id } = await createPolicy({ name: 'Office hours', category: 'scheduling', rules });
    await open(`/policies/${id}`);
    await press('Add to Maintenance windows');
    const second = world.page.getByRole('group', { name: 'Maintenance windows 2' });
    await second.getByLabel('Weekday').selectOption('Saturday');
    await second.getByLabel('From').selectOption('07:00');
    await second.getByLabel('To').selectOption('07:00');
    await press('Save');
    await second.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor();
    await second.getByLabel('To').selectOption('09:00');
    await press('Save');
    await world.page.getByRole('form', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    const stored = await world.service.byKey.policies.getPolicy({ params: { id } });
    expect(stored.rules).toMatchObject({
      allowed_hours: { start: 8, end: 18 },
      maintenance_windows: [
        { day: 6, start: 1, end: 3 },
        { day: 5, start: 7, end: 9 },
      ],
    });
    await world.service.byKey.policies.deletePolicy({ params: { id }, query: {} });
  });
});

test('approval requests are approved and denied, with a note', async () => {
  const rules = { require_approval_for: ['deploy', 'erase'] };
  await createPolicy({ name: 'Ask first', category: 'approval', rules });
  for (const action_type of ['deploy', 'erase'])
    await world.service.byKey.evaluations.checkPolicy({
      body: { agent_name: 'deployer', action_type },
    });
  await open('/approvals?status=pending');
  await world.page
    .getByRole('link', { name: /^Approvals/ })
    .getByText('2')
    .waitFor();
  await rowsOf('Approvals')
    .filter({ hasText: 'erase' })
    .getByRole('button', { name: /^Deny erase/ })
    .click();
  await rowsOf('Approvals').filter({ hasText: 'erase' }).waitFor({ state: 'detached' });
  await openDetails(rowsOf('Approvals').filter({ hasText: 'deploy' }));
  await world.page.getByLabel('Comment', { exact: true }).fill('go ahead');
  await press('Approve');
  await world.page.getByText('No pending requests').waitFor();
  const { results } = await world.service.byOwner.approvals.listApprovals({ query: {} });
  expect(results.map(({ action_type, status, note }) => [action_type, status, note])).toEqual(
    expect.arrayContaining([
      ['erase', 'denied', ''],
      ['deploy', 'approved', 'go ahead'],
    ]),
  );
});

test('the audit log can be filtered, shows changes, and can be exported', async () => {
  await open('/audit');
  await press('More filters');
  await world.page.getByLabel('Action, for example policy.*').fill('policy.*');
  await world.page.getByLabel('Action, for example policy.*').press('Enter');
  await world.page.waitForURL(/action=policy/);
  await rowsOf('Audit log').filter({ hasText: 'user.' }).first().waitFor({ state: 'detached' });
  const updated = rowsOf('Audit log').filter({ hasText: 'policy.update' });
  await updated.filter({ hasText: OWNER.email }).first().getByText('policy.update').click();
  await world.page.getByRole('group', { name: 'Before' }).waitFor();
  await world.page.getByRole('group', { name: 'After' }).waitFor();
  await world.page.keyboard.press('Escape');
  await world.page.getByLabel('Actor', { exact: true }).fill('unknown');
  await world.page.keyboard.press('Enter');
  await world.page.getByText('No entry matches these filters').waitFor();
  await world.page.getByLabel('Actor', { exact: true }).fill(OWNER.email);
  await world.page.keyboard.press('Enter');
  await updated.first().waitFor();
  await world.page.getByLabel('Export', { exact: true }).click();
  await press('Entire log…');
  await world.page.getByRole('radio', { name: 'CSV' }).check();
  await press('Export', dialog());
  const link = world.page.getByRole('link', { name: 'Download' });
  await link.waitFor();
  const [download] = await Promise.all([world.page.waitForEvent('download'), link.click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('policy.update');
});

test('a sub-tenant is created, gets a quota, is suspended and resumed', async () => {
  await open('/settings/tenants');
  await press('Create sub-tenant');
  await dialog().getByLabel('Name').fill('Acme');
  await dialog().getByLabel('Runs per day').fill('1');
  await press('Create', dialog());
  const key = await world.page.getByLabel('API key', { exact: true }).inputValue();
  await press('Done');
  const client = world.service.by({ 'X-Svc-Key': key });
  const start = () => client.recording.startRun({ body: { agent_name: 'theirs' } });
  await start();
  await world.page.getByRole('link', { name: 'Acme' }).click();
  await world.page.getByText('of 1', { exact: false }).first().waitFor();
  await expect(start()).rejects.toThrow(/max_agent_runs_per_day/);
  await world.page.getByLabel('Runs per day').fill('5');
  await press('Save');
  await world.page.getByText('of 5').waitFor();
  await start();
  await press('Suspend');
  await world.page.getByLabel('Reason').fill('unpaid');
  await press('Suspend', dialog());
  await world.page.getByRole('note').getByText('unpaid').waitFor();
  await expect(start()).rejects.toMatchObject({ status: 403 });
  await press('Resume');
  await press('Resume', dialog());
  await world.page.getByText('Active', { exact: true }).waitFor();
  await start();
});
