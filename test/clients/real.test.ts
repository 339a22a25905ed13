import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { clientsInCi, type TestedClient } from './clients.ts';
import { startProvider } from './provider/server.ts';
import { scenario } from './scenario.ts';
import { recordings } from './table.ts';
import { runClient, tryClient } from './try-client.ts';

describe('real clients from PyPI and npm', { tags: ['real-clients'] }, () => {
  const recorded = new Map(recordings().map((recording) => [recording.client, recording]));
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite', { OTLP_GRPC_PORT: '0' });
  });
  afterAll(() => service.stop());

  test.each(clientsInCi.map((client) => [client.name, client] as const))(
    '%s matches the table',
    async (name, client) => {
      const own = await startTestControlPlane('sqlite');
      try {
        const { cells, versions } = await tryClient(client, own, API_KEY);
        expect({ cells, versions }).toEqual({
          cells: recorded.get(name)?.cells,
          versions: recorded.get(name)?.versions,
        });
      } finally {
        await own.stop();
      }
    },
  );

  test("the gRPC exporter of OpenTelemetry's Python SDK", async () => {
    const provider = await startProvider();
    const client = clientsInCi.find(({ name }) => name === 'openai-openinference') as TestedClient;
    try {
      await runClient(client, provider, {
        OTEL_EXPORTER_OTLP_ENDPOINT: service.urls.otlpGrpc as string,
        OTEL_EXPORTER_OTLP_HEADERS: `x-svc-key=${API_KEY}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      });
    } finally {
      await provider.stop();
    }
    const { results } = await service.byOwner.runs.listRuns({ query: { agent: 'weather_agent' } });
    const found = results.map(({ status, tokens, tags }) => ({ status, tokens, tags }));
    const tags = [scenario.tag];
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ status: 'error', tokens: 0, tags });
    expect(found).toContainEqual({ status: 'success', tokens: 1103 + 227 + 1571 + 311, tags });
  });
});
