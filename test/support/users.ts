import type { ResponseError } from '#contract/client.ts';
import type { Role } from '#contract/route.ts';
import { afterAll, beforeAll } from 'vitest';
import { startTestControlPlane, type TestClient, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';

export const PASSWORD = 'seven lakes and a boat';

export const statusOf = (request: Promise<unknown>): Promise<number> =>
  request.then(
    () => 200,
    (error: ResponseError) => error.status,
  );

let made = 0;

/** Signs in with a password; returns a client. */
export async function signInClient(service: TestControlPlane, email: string, password: string) {
  const { token } = await service.by({}).identity.login({ body: { email, password } });
  return service.by({ Authorization: `Bearer ${token}` });
}

/** Creates a user with a role and signs in. */
export async function createSignedInUserIn(
  service: TestControlPlane,
  role: Role,
  maker: TestClient,
) {
  const email = `${role}-${(made += 1)}@example.test`;
  const { id } = await maker.identity.createUser({
    body: { email, role, password: PASSWORD, must_change_password: false },
  });
  return { id, email, client: await signInClient(service, email, PASSWORD), params: { id } };
}

/** Sets up a control plane, and creates users by its owner or its API key. */
export function setUpUsers(
  kind: (typeof databases)[number],
  maker: 'byOwner' | 'byKey' = 'byOwner',
) {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const createSignedInUser = (role: Role) => createSignedInUserIn(service, role, service[maker]);
  const known: Partial<Record<Role, ReturnType<typeof createSignedInUser>>> = {};
  return {
    get service() {
      return service;
    },
    signIn: (email: string, password: string) => signInClient(service, email, password),
    createSignedInUser,
    /** Returns a user with this role, shared by all tests that do not change the user. */
    sharedUser: (role: 'viewer' | 'admin') => (known[role] ??= createSignedInUser(role)),
  };
}
