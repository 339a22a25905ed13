import { recordIncidents } from '#test/support/recorded-incidents.ts';
import { addDevices } from './add-devices.ts';
import { makeDataset, runExperiments } from './fill-datasets.ts';
import { makeQueue } from './fill-queue.ts';
import { recordMonth, type SeededClient } from './record-month.ts';

const prompts = [
  [
    'sample-support-chat',
    ['You answer customers of {{ company }}.', 'You answer customers of {{ company }} briefly.'],
  ],
  [
    'sample-code-review',
    ['Review this diff: {{ diff }}', 'Review this diff for mistakes: {{ diff }}'],
  ],
  ['sample-sales-outreach', ['Write to {{ name }} about {{ product }}.']],
] as const;

/** Managed prompts with versions; the newest is in production. Returns how many. */
export async function writePrompts({ prompts: api }: SeededClient): Promise<number> {
  for (const [name, [content, ...later]] of prompts) {
    const { id } = await api.createPrompt({ body: { name, content } });
    const params = { prompt_id: id };
    let version = 1;
    for (const content of later)
      ({ version } = await api.createPromptVersion({ params, body: { content } }));
    await api.putPromptLabel({ params: { ...params, label: 'production' }, body: { version } });
  }
  return prompts.length;
}

/** The policy that is created last: if it exists, a later run of the program adds nothing. */
const LAST_POLICY = 'Sample: a hundred dollars a day';

interface Installation {
  byKey: SeededClient;
  /** Prompts are written, and runs are listed, by users and not by API keys. */
  bySession: SeededClient | undefined;
  /** The model of the experiments; undefined: none is run, because the calls are paid for. */
  model: string | undefined;
}

/**
 * Fills an installation with sample data through its public API, and prints what it adds. Adds
 * nothing where it has been before.
 */
export async function fill(
  { byKey: client, bySession, model }: Installation,
  now: number,
  print: (line: string) => void,
): Promise<void> {
  const { results } = await client.policies.listPolicies({ query: { limit: 100 } });
  if (results.some(({ name }) => name === LAST_POLICY))
    return print('the sample data is there already: nothing was added');
  print('4 devices with apps and flows');
  await addDevices(client, now).catch((error: unknown) =>
    print(`no devices: ${error instanceof Error ? error.message : String(error)}`),
  );
  print(`${await recordMonth(client, now)} runs of 4 agents in the last 30 days`);
  if (bySession) {
    print(`${await writePrompts(bySession)} prompts with versions and labels`);
    const queue = await makeQueue(bySession);
    print(`an annotation queue with ${queue.runs} runs, of which ${queue.reviewed} are reviewed`);
  } else
    print('no prompts and no annotation queue: they need SVC_EMAIL and SVC_PASSWORD of a user');
  const { dataset_id, items } = await makeDataset(client);
  print(`a dataset with ${items} items`);
  await recordIncidents(client, now);
  await client.policies.createPolicy({
    body: { name: LAST_POLICY, category: 'budget', rules: { daily_cost_limit: 100 } },
  });
  print('6 policies, with incidents and an approval request');
  print(await experimentsOn(client, dataset_id, model));
}

/** What became of them, as a line. They come last: all else is there, whatever their provider does. */
async function experimentsOn(
  client: SeededClient,
  dataset_id: string,
  model: string | undefined,
): Promise<string> {
  if (model === undefined)
    return 'no experiments: they need SVC_MODEL, a model of the provider, which is paid for';
  try {
    return `${await runExperiments(client, dataset_id, model)} experiments with ${model}`;
  } catch (error) {
    return `the experiments with ${model} failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
