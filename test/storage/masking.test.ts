import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { newTraceId, requestOf } from '../otel/spans.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

const SECRET = 'ada.lovelace@secret.example';
const KEYED = 'hunter2-hunter2';
const PATTERN = 'EMP-123456';

/** Records everything that an agent may send, with all three secrets in every text. */
async function recordEverywhere({ byKey }: TwoTenants['one']): Promise<void> {
  const words = `mail ${SECRET} about ${PATTERN}`;
  const object = { text: words, deep: [{ password: KEYED }] };
  const { recording, events, memory, otel } = byKey;
  const { run_id } = await recording.startRun({
    body: { agent_name: 'a', inputs: object, metadata: object },
  });
  const params = { run_id };
  const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1 };
  await recording.recordLlmCalls({
    params,
    body: { calls: [{ ...call, prompt_preview: words, response_preview: JSON.stringify(object) }] },
  });
  await recording.recordSteps({ params, body: { steps: [{ step_name: 's', output: object }] } });
  await recording.recordSpans({
    params,
    body: {
      spans: [
        { name: 't', kind: 'tool', attributes: object, input_data: object, output_data: object },
      ],
    },
  });
  await recording.recordScores({
    params,
    body: { scores: [{ name: 'q', numeric_value: 1, comment: words }] },
  });
  await memory.writeEpisodic({
    params,
    body: { slot_name: 's', scope_key: 'a:1', data: object },
  });
  await memory.writeSemantic({
    params,
    body: {
      slot_name: 'f',
      scope_key: 'a:1',
      content: words,
      content_embedding: Array.from({ length: 1536 }, () => 0.5),
      metadata: object,
    },
  });
  await events.recordEvents({ body: { events: [{ event_type: 'x', reason: words, ...object }] } });
  const chat = [{ role: 'user', parts: [{ type: 'text', content: words }] }];
  await otel.exportTraces({
    body: requestOf(
      [
        {
          id: 'root',
          from: 0,
          to: 10,
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.input.messages': JSON.stringify(chat),
            'gen_ai.output.messages': JSON.stringify(chat),
            'gen_ai.evaluation.name': 'tone',
            'gen_ai.evaluation.score.label': words,
            'gen_ai.evaluation.explanation': words,
          },
        },
        {
          id: 'tool',
          parent: 'root',
          from: 1,
          to: 2,
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 't',
            'gen_ai.tool.call.arguments': JSON.stringify(object),
            'gen_ai.tool.call.result': words,
            'some.unknown.attribute': words,
          },
        },
      ],
      { trace: newTraceId() },
    ),
  });
  await recording.completeRun({
    params,
    body: {
      result: object,
      status: 'error',
      error: words,
      steps: [{ step_name: 'e', output: object }],
    },
  });
}

describe.each(databases)('masking on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind);
  });
  afterAll(() => service.stop());

  /** Counts the occurrences of a text in the rows of a tenant, by table and column. */
  async function occurrences(tenant: string, text: string): Promise<Record<string, number>> {
    const { db } = service.storage;
    const found: Record<string, number> = {};
    for (const { name, columns } of await db.introspection.getTables()) {
      if (!columns.some((column) => column.name === 'tenant_id')) continue;
      const { rows } =
        await sql`select * from ${sql.table(name)} where tenant_id = ${tenant}`.execute(db);
      const count = rows.filter((row) => JSON.stringify(row).includes(text)).length;
      if (count > 0) found[name] = count;
    }
    return found;
  }

  test('masked text is in no column, and data of another tenant is unchanged', async () => {
    await service.one.byOwner.settings.putRecordingSettings({
      body: {
        retention_days: null,
        masking: {
          enabled: true,
          builtin: ['EMAIL'],
          keys: [{ key: 'password', type: 'SECRET' }],
          patterns: [{ name: 'EMPLOYEE_ID', pattern: String.raw`EMP-\d{6}` }],
        },
      },
    });
    await Promise.all([recordEverywhere(service.one), recordEverywhere(service.other)]);
    const { id } = await service.storage.db
      .selectFrom('tenants')
      .select('id')
      .where('id', '<>', 'tnt_other')
      .executeTakeFirstOrThrow();
    for (const text of [SECRET, KEYED, PATTERN]) expect(await occurrences(id, text)).toEqual({});
    for (const placeholder of ['##EMAIL##', '##SECRET##', '##EMPLOYEE_ID##'])
      expect(Object.keys(await occurrences(id, placeholder))).toEqual(
        expect.arrayContaining(['runs', 'llm_calls', 'steps', 'spans', 'events']),
      );
    expect(await occurrences('tnt_other', SECRET)).toMatchObject({
      runs: 2,
      llm_calls: 2,
      steps: 2,
      spans: 2,
      scores: 2,
      events: 1,
    });
    expect(await occurrences('tnt_other', '##')).toEqual({});
  });
});
