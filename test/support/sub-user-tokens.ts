import type { RouteRequest } from '#contract/route.ts';
import type { subUserRoutes } from '#contract/sub-users.ts';
import type { TestClient } from './control-plane.ts';
import type { databases } from './databases.ts';
import { setUpEnterprise } from './enterprise.ts';

export type NewSubUserToken = RouteRequest<(typeof subUserRoutes)['issueSubUserToken']>['body'];

/** Sets up a control plane that issues tokens for sub-users, and clients that use them. */
export function setUpSubUserTokens(kind: (typeof databases)[number]) {
  const world = setUpEnterprise(kind);
  const issueSubUserToken = (body: NewSubUserToken, by: TestClient = world.service.byKey) =>
    by.subUsers.issueSubUserToken({ body });
  const issue = async (body: Partial<NewSubUserToken>, by?: TestClient) =>
    (await issueSubUserToken({ sub_user_id: 'ada', ...body }, by)).token;
  const validate = (token: string, by: TestClient = world.service.byKey) =>
    by.subUsers.validateSubUserToken({ body: { token } });
  const bearer = (token: string) => world.service.by({ Authorization: `Bearer ${token}` });
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  return { world, issueSubUserToken, issue, validate, bearer, statusOf };
}
