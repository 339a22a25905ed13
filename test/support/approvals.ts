import { afterAll, beforeAll } from 'vitest';
import { startTestControlPlane, type TestClient, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';

export const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

export const requestApproval = async (client: TestClient, agent: string): Promise<string> => {
  const { metadata } = await client.evaluations.checkPolicy({
    body: { agent_name: agent, workflow_name: 'deploy' },
  });
  return metadata.approval_id as string;
};

/** Sets up agents whose workflow `deploy` needs an approval, and users who decide. */
export function setUpApprovals(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  let made = 0;
  /** Creates an agent with a policy that requires an approval of its workflow `deploy`. */
  async function createAgentWithApprovalPolicy(rules: object = {}) {
    const agent = `agent-${(made += 1)}`;
    const policy = await service.byKey.policies.createPolicy({
      body: {
        name: `approval of ${agent}`,
        category: 'approval',
        rules: { ...rules },
        scope: { agents: [agent] },
      },
    });
    const check = (more: object = {}) =>
      service.byKey.evaluations.checkPolicy({
        body: { agent_name: agent, workflow_name: 'deploy', ...more },
      });
    /** Requests an approval; returns the id of the request. */
    const requestApproval = async (more: object = {}): Promise<string> => {
      const { metadata } = await check(more);
      return metadata.approval_id as string;
    };
    return { agent, policy, check, requestApproval };
  }
  const listApprovals = (query: object) => service.byOwner.approvals.listApprovals({ query });
  const approve = (id: string, by = service.byOwner, body: { note?: string } = {}) =>
    by.approvals.approve({ params: { id }, body });
  const deny = (id: string, by = service.byOwner) =>
    by.approvals.deny({ params: { id }, body: {} });

  return {
    get service() {
      return service;
    },
    createAgentWithApprovalPolicy,
    listApprovals,
    approve,
    deny,
  };
}
