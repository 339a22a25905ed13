import type { SeededClient } from './record-month.ts';
import { pseudoRandom } from './pseudo-random.ts';

const TONES = ['friendly', 'neutral', 'friendly', 'cold'] as const;
/** Runs that a reviewer has looked at. The last is skipped. */
const REVIEWED = 9;

/** An annotation queue with the latest runs, some of them reviewed. Returns how many of each. */
export async function makeQueue(client: SeededClient) {
  const { annotationQueues, runs } = client;
  const { id: queue_id } = await annotationQueues.createAnnotationQueue({
    body: {
      name: 'Sample: answers of the week',
      description: 'A sample of answers for the quality report',
      instructions:
        'Read the **answer** first, then the trace.\n\n- 5: correct and complete\n- 1: wrong',
      scores: [
        { name: 'correctness', data_type: 'numeric', min: 1, max: 5 },
        { name: 'tone', data_type: 'categorical', values: ['friendly', 'neutral', 'cold'] },
        { name: 'escalated', data_type: 'boolean', required: false },
      ],
    },
  });
  const { results } = await runs.listRuns({ query: { limit: 20 } });
  const run_ids = results.map(({ id }) => id);
  await annotationQueues.addAnnotationItems({ params: { queue_id }, body: { run_ids } });
  return { runs: run_ids.length, reviewed: await review(client, queue_id) };
}

async function review({ annotationQueues }: SeededClient, queue_id: string): Promise<number> {
  for (let at = 0; at < REVIEWED; at += 1) {
    const { item } = await annotationQueues.claimAnnotationItem({ params: { queue_id } });
    if (!item) return at;
    const params = { queue_id, run_id: String(item.run_id) };
    if (at === REVIEWED - 1) await annotationQueues.skipAnnotationItem({ params });
    else await annotationQueues.completeAnnotationItem({ params, body: reviewOf(at) });
  }
  return REVIEWED;
}

/** Mostly good responses; a few have a comment. */
const reviewOf = (at: number) => ({
  scores: [
    { name: 'correctness', value: 5 - (pseudoRandom(at, 10) % 3) },
    { name: 'tone', value: TONES[pseudoRandom(at, TONES.length)] ?? 'neutral' },
    { name: 'escalated', value: pseudoRandom(at, 5) === 0 },
  ],
  ...(at % 4 === 0 && { comment: 'The answer names no source.' }),
});
