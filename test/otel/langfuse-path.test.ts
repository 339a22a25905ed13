import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { loadSamples } from './samples.ts';

describe.each(databases)('a program with LANGFUSE_BASE_URL, on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  /** Sends as Langfuse's exporter does: to its own path, with the keys as name and password. */
  const send = async (secret: string): Promise<number> => {
    const samples = await loadSamples('cline-traces');
    const statuses = new Set<number>();
    for (const { body } of samples) {
      const response = await fetch(`${service.urls.public}/api/v1/otel/api/public/otel/v1/traces`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Basic ${Buffer.from(`gatehouse:${secret}`).toString('base64')}`,
        },
        body: JSON.stringify(body),
      });
      statuses.add(response.status);
    }
    expect(statuses.size).toBe(1);
    return [...statuses][0] as number;
  };

  test('is recorded', async () => {
    expect(await send(API_KEY)).toBe(200);
    const { results } = await service.byOwner.runs.listRuns({ query: { agent: 'cline' } });
    expect(results).toMatchObject([{ agent_name: 'cline', llm_call_count: 2 }]);
  });

  test('may send the key in a header, as the API client does', async () => {
    for (const { body } of await loadSamples('cline-traces'))
      expect(await service.byKey.otel.exportLangfuseSpans({ body })).toEqual({});
  });

  test('needs a key', async () => {
    expect(await send('svc_sk_of_another')).toBe(401);
  });
});
