import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestClient } from '../support/control-plane.ts';
import type { TestedClient } from './clients.ts';
import { compare, type Cells, type ReadRun, type Truth } from './compare.ts';
import { commandOf, placeScripts, versionOf } from './environment.ts';
import { exportedSpans } from './exported-spans.ts';
import { type StandInProvider, startProvider } from './provider/server.ts';
import { type ExportedRequest, keptRequests, startRecorder } from './recording.ts';
import { scenarioEnvironment } from './scenario.ts';

const execute = promisify(execFile);

/** Longer than any client takes on a busy machine. */
const MAX_MS = 240_000;
/** The turn that is answered, and the one that is rejected. */
const TURNS = 2;

/** The result of running a client, as stored in `recordings/`. */
export interface Recording {
  client: string;
  versions: Record<string, string>;
  truth: Truth;
  cells: Cells;
  requests: ExportedRequest[];
}

interface Service {
  urls: { public: string };
  byOwner: Pick<TestClient, 'runs' | 'llmCalls'>;
}

/** Runs a client against a stand-in for its provider and a real control plane. */
export async function tryClient(
  client: TestedClient,
  service: Service,
  key: string,
): Promise<Recording> {
  const provider = await startProvider();
  const recorder = await startRecorder(service.urls.public);
  try {
    await runClient(client, provider, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${recorder.url}/api/v1/otel`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-svc-key=${key}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    });
    if (recorder.failures.length > 0) throw new Error(recorder.failures.join('\n'));
    if (exportedSpans(recorder.requests).length === 0) throw new Error('no span was exported');
    const truth = { calls: provider.calls, turns: TURNS };
    const runs = await runsOf(service, recorder.requests);
    return {
      client: client.name,
      versions: Object.fromEntries(client.packages.map((name) => [name, versionOf(client, name)])),
      truth,
      cells: compare(truth, runs, recorder.requests),
      requests: keptRequests(recorder.requests),
    };
  } finally {
    await Promise.all([provider.stop(), recorder.stop()]);
  }
}

/** Runs the script of a client; `exporter` configures its export. */
export async function runClient(
  client: TestedClient,
  provider: StandInProvider,
  exporter: Record<string, string>,
): Promise<void> {
  placeScripts(client);
  const [program, ...args] = commandOf(client);
  await execute(program, args, {
    timeout: MAX_MS,
    maxBuffer: 64 << 20,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONDONTWRITEBYTECODE: '1',
      ...scenarioEnvironment(provider.url),
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_SERVICE_NAME: 'weather-service',
      ...exporter,
      ...client.env,
    },
  });
}

/** The runs of the exported traces, with complete spans and calls, in order. */
export async function runsOf(
  { byOwner: { runs, llmCalls } }: Pick<Service, 'byOwner'>,
  requests: readonly ExportedRequest[],
): Promise<ReadRun[]> {
  const traces = new Set(exportedSpans(requests).map(({ traceId }) => traceId));
  const { results } = await runs.listRuns({ query: { limit: 100 } });
  const own = results.filter(({ trace_id }) => traces.has(trace_id ?? '')).toReversed();
  return Promise.all(
    own.map(async ({ id }) => {
      const run = await runs.getRun({ params: { id: String(id) } });
      const spans = await Promise.all(
        run.spans.map(async (span) => ({
          ...span,
          ...(await runs.getSpan({ params: { id: String(id), span_id: String(span.id) } })),
        })),
      );
      const calls = await Promise.all(
        run.llm_calls.map((call) => llmCalls.getLlmCall({ params: { call_id: String(call.id) } })),
      );
      return { ...run, spans, llm_calls: calls };
    }),
  );
}
