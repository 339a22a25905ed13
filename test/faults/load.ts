import { randomUUID } from 'node:crypto';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import { pollUntil } from '../support/processes.ts';

const WRITERS = 8;
const READERS = 2;
const CALLS = 5;

export interface Load {
  statuses: ReadonlyMap<number, number>;
  /** Errors that a client must never see. */
  faults: string[];
  /** The number of calls acknowledged so far. */
  acknowledged(): number;
  /** Waits until every writer has received a further acknowledgement. */
  makesProgress(withinMs: number): Promise<boolean>;
  /** Stops after every writer has finished its batch. */
  stop(): Promise<void>;
  /** Compares the stored calls with the acknowledged ones. */
  findLosses(): Promise<string[]>;
  /** Sends this number of recording requests at the same time; returns their statuses. */
  atOnce(requests: number): Promise<number[]>;
}

/**
 * Starts clients that record and read continuously, and retry requests that were answered with 503.
 */
export async function startLoad(baseUrl: string): Promise<Load> {
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  /** The acknowledged calls by run. */
  const written = new Map<string, number>();
  const stopping = new AbortController();

  async function sendRequest(method: string, path: string, headers: object, body?: object) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const text = await response.text();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (![200, 201, 503].includes(status)) faults.push(`${method} ${path}: ${status} ${text}`);
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  }
  const byKey = { 'X-Svc-Key': API_KEY };
  const record = (path: string, body: object) =>
    sendRequest('POST', `/api/v1/observe/runs/${path}`, byKey, { batch_id: randomUUID(), ...body });

  /** Retries the same request until it is accepted. */
  async function insist(path: string, body: object): Promise<Record<string, unknown>> {
    const batch_id = randomUUID();
    for (;;) {
      const answer = await record(path, { ...body, batch_id });
      if (answer.status < 300) return answer.body;
      if (faults.length > 0) throw new Error(faults[0]);
    }
  }
  async function write(): Promise<void> {
    const { run_id } = (await insist('start/', { agent_name: 'busy' })) as { run_id: string };
    written.set(run_id, 0);
    const call = { model: 'gpt-4o', tokens_in: 1, tokens_out: 1, prompt_preview: 'findable text' };
    const calls = Array.from({ length: CALLS }, () => call);
    while (!stopping.signal.aborted) {
      await insist(`${run_id}/llm-calls/`, { calls });
      written.set(run_id, (written.get(run_id) ?? 0) + CALLS);
    }
  }

  const signedIn = await sendRequest('POST', '/api/v1/auth/login/', {}, OWNER);
  const bySession = { Authorization: `Bearer ${String(signedIn.body.token)}` };
  async function read(): Promise<void> {
    while (!stopping.signal.aborted)
      for (const path of ['runs/', 'llm-calls/?search=findable'])
        await sendRequest('GET', `/api/v1/observability/${path}`, bySession);
  }

  const working = [
    ...Array.from({ length: WRITERS }, write),
    ...Array.from({ length: READERS }, read),
  ].map((work) => work.catch((error: unknown) => void faults.push(String(error))));

  return {
    statuses,
    faults,
    acknowledged: () => [...written.values()].reduce((sum, calls) => sum + calls, 0),
    async makesProgress(withinMs) {
      const deadline = Date.now() + withinMs;
      const before = new Map(written);
      const isOn = (): boolean =>
        written.size === WRITERS &&
        [...written].every(([run, calls]) => calls > (before.get(run) ?? 0));
      return pollUntil(isOn, (on) => on || faults.length > 0 || Date.now() > deadline);
    },
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
    async findLosses() {
      const losses: string[] = [];
      for (const [run, calls] of written) {
        const { body } = await sendRequest('GET', `/api/v1/observability/runs/${run}/`, bySession);
        const { llm_call_count, counts } = body as {
          llm_call_count: number;
          counts: { llm_calls: number };
        };
        if (counts.llm_calls !== calls || llm_call_count !== calls)
          losses.push(
            `run ${run}: ${calls} calls acknowledged, ${counts.llm_calls} there, ${llm_call_count} counted`,
          );
      }
      return losses;
    },
    atOnce: async (requests) =>
      (
        await Promise.all(
          Array.from({ length: requests }, () => record('start/', { agent_name: 'after' })),
        )
      ).map(({ status }) => status),
  };
}
