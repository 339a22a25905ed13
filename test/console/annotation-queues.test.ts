// @module-tag chromium

import { expect, test } from 'vitest';
import { setUpConsolePage } from '../support/console-page.ts';
import { createSignedInUserIn, PASSWORD } from '../support/users.ts';

const world = setUpConsolePage();
const { open, rowsOf, press, dialog } = world;

const startRuns = async (count: number): Promise<string[]> => {
  const { recording } = world.service.byKey;
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const inputs = { question: `Question ${at + 1}` };
    const { run_id } = await recording.startRun({ body: { agent_name: 'support', inputs } });
    const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 1, response_preview: 'An answer' };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    await recording.completeRun({ params: { run_id }, body: {} });
    ids.push(run_id);
  }
  return ids;
};

const makeQueue = async (name: string, runs: readonly string[]) => {
  const { annotationQueues } = world.service.byOwner;
  const { id: queue_id } = await annotationQueues.createAnnotationQueue({
    body: {
      name,
      instructions: 'Read the **answer** first.',
      scores: [
        { name: 'tone', data_type: 'categorical', values: ['warm', 'cold'] },
        { name: 'quality', data_type: 'numeric', min: 1, max: 5 },
        { name: 'polite', data_type: 'boolean', required: false },
      ],
    },
  });
  const params = { queue_id };
  const run_ids = runs.map(Number);
  if (runs.length > 0) await annotationQueues.addAnnotationItems({ params, body: { run_ids } });
  return params;
};

const pageOf = () => world.page;
const run = (id: string | undefined, on = pageOf()) =>
  on.getByRole('heading', { name: `Run ${id}` });
const progress = (text: string) => pageOf().getByRole('status').getByText(text);
const scoresOf = async (run_id: string | undefined) => {
  const query = { run_id: run_id ?? '', sort: 'name' as const };
  const { results } = await world.service.byOwner.scores.listScores({ query });
  return results.map(({ name, numeric_value, string_value, comment }) => [
    name,
    numeric_value ?? string_value,
    comment,
  ]);
};

test('an administrator creates a queue, changes it and deletes it', async () => {
  const { page } = world;
  await open('/annotation-queues');
  await page.getByText('No annotation queues yet').waitFor();
  await press('Create queue');
  await dialog().getByLabel('Name', { exact: true }).fill('Weekly review');
  await dialog().getByLabel('Instructions').fill('Read it all.');
  await dialog().getByLabel('Score name').fill('quality');
  await dialog().getByLabel('Minimum').fill('5');
  await dialog().getByLabel('Maximum').fill('1');
  await press('Add another score');
  const second = dialog().getByRole('group', { name: 'Score 2' });
  await second.getByLabel('Score name').fill('tone');
  await second.getByLabel('Type').selectOption('Category');
  await second.getByLabel('Categories').fill('warm\ncold');
  await press('Create');
  await dialog().getByText('expected a number not above max').waitFor();
  await dialog().getByLabel('Maximum').fill('10');
  await press('Create');
  await page.getByRole('heading', { level: 1, name: 'Weekly review' }).waitFor();
  await page.getByText('Nothing is left to review').waitFor();

  await page.getByLabel('More actions').click();
  await press('Edit…');
  await press('Remove score 1');
  await dialog().getByLabel('Name', { exact: true }).fill('Monthly review');
  await press('Save');
  await page.getByRole('heading', { level: 1, name: 'Monthly review' }).waitFor();
  const { results } = await world.service.byOwner.annotationQueues.listAnnotationQueues({
    query: {},
  });
  expect(results).toMatchObject([
    {
      name: 'Monthly review',
      instructions: 'Read it all.',
      scores: [{ values: ['warm', 'cold'] }],
    },
  ]);
  await page.getByLabel('More actions').click();
  await press('Delete…');
  await press('Delete queue');
  await page.getByText('No annotation queues yet').waitFor();
});

test('an administrator creates, changes and deletes a queue', async () => {
  const { page } = world;
  const [first, second, third] = await startRuns(3);
  const params = await makeQueue('From the list', []);
  await open('/runs');
  await page.getByLabel(`Choose run ${first}`, { exact: true }).check();
  await page.getByLabel(`Choose run ${second}`, { exact: true }).check();
  await press('Add to queue…');
  await press('Add 2 runs');
  await dialog().getByText('2 runs added.').waitFor();
  await press('Close');
  await page.getByRole('group', { name: 'Chosen runs' }).waitFor({ state: 'detached' });
  for (const [id, text] of [
    [third, '1 run added.'],
    [first, '0 runs added. 1 already in the queue.'],
  ]) {
    await open(`/runs/${id}`);
    await press('Add to queue…');
    await press('Add 1 run');
    await dialog()
      .getByText(text ?? '')
      .waitFor();
  }
  await dialog().getByRole('link', { name: 'Open the queue' }).click();
  await progress('3 pending · 0 completed · 0 skipped').waitFor();
  await world.service.byOwner.annotationQueues.deleteAnnotationQueue({ params });
});

test('a reviewer works through a queue with the keyboard only', async () => {
  const { page } = world;
  const runs = await startRuns(3);
  const { queue_id } = await makeQueue('By keyboard', runs);
  await open(`/annotation-queues/${queue_id}`);
  await run(runs[0]).waitFor();
  await page.getByText('Question 1').first().waitFor();
  await page.getByText('Read the answer first.').waitFor();

  // A choice, or Enter in a number field, moves to the next score; after the last one to the
  // button.
  await page.keyboard.press('2');
  await page.keyboard.type('4.5');
  await page.keyboard.press('Enter');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await run(runs[1]).waitFor();
  await progress('2 pending · 1 completed · 0 skipped').waitFor();
  expect(await scoresOf(runs[0])).toEqual([
    ['polite', 'true', null],
    ['quality', 4.5, null],
    ['tone', 'cold', null],
  ]);

  await page.keyboard.press('s');
  await run(runs[2]).waitFor();
  await page.getByText(`Run ${runs[1]} skipped.`).waitFor();
  // The shortcuts of the new form work once its run is shown.
  await page.getByText('Question 3').first().waitFor();

  await page.keyboard.press('c');
  await page.keyboard.type('s is only text here');
  // A required score is missing: the browser reports it, and nothing is sent.
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('type')))
    .toBe('radio');
  await page.keyboard.press('1');
  await page.keyboard.type('1');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Nothing is left to review').waitFor();
  await progress('0 pending · 2 completed · 1 skipped').waitFor();
  expect(await scoresOf(runs[2])).toEqual([
    ['quality', 1, 's is only text here'],
    ['tone', 'warm', 's is only text here'],
  ]);

  await press('Reopen');
  await run(runs[2]).waitFor();
  await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('s is only text here');
  await expect.poll(() => page.getByRole('radio', { name: 'warm' }).isChecked()).toBe(true);
  await page.getByLabel('quality').fill('5');
  await press('Complete');
  await page.getByText('Nothing is left to review').waitFor();
  expect((await scoresOf(runs[2])).slice(0, 1)).toEqual([['quality', 5, 's is only text here']]);

  await page.getByRole('tab', { name: 'Runs' }).click();
  await rowsOf('Runs in the queue')
    .filter({ hasText: 'Skipped' })
    .getByText(runs[1] ?? '')
    .waitFor();
  await press(`Reopen run ${runs[1]}`);
  await progress('1 pending · 2 completed · 0 skipped').waitFor();
  await page.getByRole('tab', { name: 'Review' }).click();
  await run(runs[1]).waitFor();
});

test('entered values are kept while an earlier run is reopened, and a held key skips only one run', async () => {
  const { page } = world;
  const runs = await startRuns(3);
  const { queue_id } = await makeQueue('Kept', runs);
  await open(`/annotation-queues/${queue_id}`);
  await run(runs[0]).waitFor();
  await page.keyboard.down('s');
  await run(runs[1]).waitFor();
  await page.getByText('Question 2').first().waitFor();
  await page.keyboard.down('s'); // repeats like a key that is held down
  await page.keyboard.up('s');
  await page.keyboard.press('2');
  await page.getByLabel('Comment').fill('not finished');
  // The shortcuts work as soon as the run is shown, even while the progress is loading.
  const read = Promise.withResolvers<void>();
  const progressOf = (url: URL) => url.pathname.endsWith(`/${queue_id}/`);
  await page.route(progressOf, (route) => read.promise.then(() => route.continue()));
  await press('Reopen');
  await run(runs[0]).waitFor();
  await page.getByText('Question 1').first().waitFor();
  await page.keyboard.press('s');
  await run(runs[1]).waitFor();
  read.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('not finished');
  await expect.poll(() => page.getByRole('radio', { name: 'cold' }).isChecked()).toBe(true);
});

test('two reviewers get different runs, and a viewer can only read', async () => {
  const { service } = world;
  const runs = await startRuns(2);
  const { queue_id } = await makeQueue('Two reviewers', runs);
  const [ada, ben, viewer] = await Promise.all([
    createSignedInUserIn(service, 'analyst', service.byOwner),
    createSignedInUserIn(service, 'analyst', service.byOwner),
    createSignedInUserIn(service, 'viewer', service.byOwner),
  ]);
  const openAs = async ({ email }: { email: string }) => {
    const page = await world.newPage({ email, password: PASSWORD });
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await open(`/annotation-queues/${queue_id}`, page);
    return page;
  };
  const first = await openAs(ada);
  await run(runs[0], first).waitFor();
  const second = await openAs(ben);
  await run(runs[1], second).waitFor();
  await press('Skip', second);
  await second.getByText('Other reviewers have the rest').waitFor();

  const reading = await openAs(viewer);
  await rowsOf('Runs in the queue', reading).first().getByText(ada.email).waitFor();
  const removing = { name: `Remove run ${runs[0]} from the queue` };
  expect(await reading.getByRole('button', removing).count()).toBe(0);
  expect(await reading.getByLabel('More actions').count()).toBe(0);
  expect(await reading.getByRole('tab', { name: 'Review' }).count()).toBe(0);
});

test('the page is in the sidebar and in the palette', async () => {
  const { page } = world;
  await open('/');
  await page.getByRole('navigation', { name: 'Main' }).getByText('Annotation queues').waitFor();
  await page.keyboard.press('Control+k');
  await dialog().getByRole('combobox').fill('annotation');
  await dialog().getByRole('option', { name: 'Annotation queues', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Annotation queues' }).waitFor();
});
