import type { Client } from '#contract/client.ts';
import type { contract } from '#contract/index.ts';
import { recordIncidents } from '#test/support/recorded-incidents.ts';
import { recordWeek } from '#test/support/recorded-week.ts';

/** Creates sample data: a week of runs, policies, and the incidents raised by them. */
export async function seed(client: Client<typeof contract>, now: number): Promise<void> {
  const { results } = await client.policies.listPolicies({ query: {} });
  if (results.length > 0) return;
  await recordWeek(client, now);
  // Last: a later start finds the policies, and seeds nothing.
  await recordIncidents(client, now);
}
