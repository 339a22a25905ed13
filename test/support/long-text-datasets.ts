import type { TestControlPlane } from './control-plane.ts';
import { runExperimentOn } from './datasets.ts';

/**
 * Creates a dataset and two experiments with names and texts that test the limits of the layout.
 */
export async function makeDatasetWithLongTexts(
  { byOwner }: TestControlPlane,
  { name, text }: { name: string; text: string },
) {
  const { id } = await byOwner.datasets.createDataset({
    body: { name: name.slice(0, 200), description: text.slice(0, 9000) },
  });
  const params = { dataset_id: id };
  const items = [
    { input: { [name]: text, question: 'Why?' }, expected_output: text },
    { input: [{ role: 'user' as const, content: text }], expected_output: { [name]: text } },
    { input: { question: 'How?' } },
  ];
  await byOwner.datasets.addDatasetItems({ params, body: { items } });
  const evaluators = [
    { type: 'exact_match' as const, name: name.slice(0, 100) },
    { type: 'contains' as const, name: 'says why', text: 'Why' },
    { type: 'llm_judge' as const, name: 'judge', model: 'gpt-4o-mini', prompt: '{{output}}' },
  ];
  const run = async (content: string, model: string) => {
    const body = { name: name.slice(0, 200), content, config: { model }, evaluators };
    return (await runExperimentOn(byOwner, params, body)).id;
  };
  const experiment = await run('{{question}}', 'gpt-4o-mini');
  const failed = await run('{{question}}', 'down');
  return { dataset: id, experiment, failed };
}
