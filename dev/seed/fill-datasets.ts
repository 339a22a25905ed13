import type { SeededClient } from './record-month.ts';

/** Questions of customers, and the word that a good answer contains. */
const questions = [
  ['Where do I find my invoices?', 'Billing'],
  ['How do I reset my password?', 'email'],
  ['Can I pay by bank transfer?', 'yes'],
  ['Which plan has single sign-on?', 'Enterprise'],
  ['How long are runs kept?', '90 days'],
  ['Do you store card numbers?', 'no'],
  ['How do I add a colleague?', 'Users'],
  ['Is there a free plan?', 'yes'],
] as const;

/** The facts behind the expected answers, so that a model can find them. */
const FACTS = `Invoices are under Account, Billing. Passwords are reset by a link in an email. Payment: cards and
bank transfer; card numbers are not stored. Single sign-on is part of the plan Enterprise. Runs are kept for 90 days.
Colleagues are added under Users. There is a free plan.`;

/** A dataset with questions to the support agent. Returns its id and how many items it has. */
export async function makeDataset({ datasets }: SeededClient) {
  const { id: dataset_id } = await datasets.createDataset({
    body: {
      name: 'Sample: support questions',
      description: 'Questions of customers, with a word of the right answer',
    },
  });
  const items = questions.map(([question, expected_output], at) => ({
    input: { question },
    expected_output,
    metadata: { topic: at % 2 === 0 ? 'billing' : 'account' },
  }));
  await datasets.addDatasetItems({ params: { dataset_id }, body: { items } });
  return { dataset_id, items: items.length };
}

const experiments = [
  ['One word', `${FACTS}\n\nAnswer in one word: {{question}}`],
  ['One sentence', `${FACTS}\n\nAnswer in one short sentence: {{question}}`],
] as const;

const LOOK_EVERY_MS = 500;
/** Ten minutes: a provider that does not answer ends its calls long before. */
const MAX_POLLS = 1200;

/**
 * Runs two experiments to their ends, which calls the installation's model provider once for each
 * item. Returns their number.
 *
 * @throws Error if one cannot be started, or does not end
 */
export async function runExperiments(
  { experiments: api }: SeededClient,
  dataset_id: string,
  model: string,
  pause: () => Promise<unknown> = () => new Promise((done) => setTimeout(done, LOOK_EVERY_MS)),
): Promise<number> {
  for (const [name, content] of experiments) {
    const { id: experiment_id } = await api.startExperiment({
      params: { dataset_id },
      body: {
        name,
        content,
        config: { model, max_tokens: 100 },
        evaluators: [
          { type: 'contains', name: 'has the answer', ignore_case: true },
          { type: 'exact_match', name: 'only the answer', ignore_case: true },
          { type: 'regex', name: 'short', pattern: '^.{1,80}$' },
        ],
      },
    });
    const params = { dataset_id, experiment_id };
    for (let looks = 1; (await api.getExperiment({ params })).status === 'running'; looks += 1) {
      if (looks === MAX_POLLS) throw new Error(`experiment ${experiment_id} does not end`);
      await pause();
    }
  }
  return experiments.length;
}
