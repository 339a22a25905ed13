import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Masking } from '#contract/settings.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const off: Masking = { enabled: false, builtin: [], keys: [], patterns: [] };
const emails: Masking = { ...off, enabled: true, builtin: ['EMAIL'] };

describe.each(databases)('masking rules on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());

  /** Records a prompt; returns the stored text. */
  const recorded = async ({ byKey, byOwner }: TwoTenants['one']): Promise<string | undefined> => {
    const { run_id } = await byKey.recording.startRun({ body: { agent_name: 'a' } });
    const call = { model: 'm', tokens_in: 1, tokens_out: 1, prompt_preview: 'from a@b.io' };
    await byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    const run = await byOwner.runs.getRun({ params: { id: run_id } });
    return run.llm_calls[0]?.prompt_preview;
  };

  test('apply to everything recorded after they are saved, for their tenant only', async () => {
    const { one, other } = tenants;
    const save = (masking: Masking) =>
      one.byOwner.settings.putRecordingSettings({ body: { retention_days: null, masking } });
    expect([await recorded(one), await recorded(other)]).toEqual(['from a@b.io', 'from a@b.io']);
    await save(emails);
    expect([await recorded(one), await recorded(other)]).toEqual(['from ##EMAIL##', 'from a@b.io']);
    await save(off);
    expect(await recorded(one)).toBe('from a@b.io');
  });
});
