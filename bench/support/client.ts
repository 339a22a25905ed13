import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { KEY, OWNER, type Server } from './processes.ts';

const clientOf = ({ port }: Server, headers: Record<string, string>) =>
  createClient(contract, { baseUrl: `http://127.0.0.1:${port}`, headers: () => headers });

export const byKey = (server: Server) => clientOf(server, { 'X-Svc-Key': KEY });

/** The header of a signed-in owner. */
export async function ownerHeaders(server: Server): Promise<Record<string, string>> {
  const { token } = await clientOf(server, {}).identity.login({ body: OWNER });
  return { Authorization: `Bearer ${token}` };
}

export async function startRuns(server: Server, count: number): Promise<string[]> {
  const { recording } = byKey(server);
  const runs: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { run_id } = await recording.startRun({
      body: { agent_name: 'bench', session_id: `s${i % 4}`, user_id: `u${i % 3}` },
    });
    runs.push(run_id);
  }
  return runs;
}
