import type { ResponseError } from '#contract/client.ts';
import type { Role } from '#contract/route.ts';
import type { TestClient, TestControlPlane } from './control-plane.ts';

export const PASSWORD = 'seven lakes and a boat';

export const statusOf = (asked: Promise<unknown>): Promise<number> =>
  asked.then(
    () => 200,
    (error: ResponseError) => error.status,
  );

let made = 0;

/** Signed in with a password. */
export async function signInTo(service: TestControlPlane, email: string, password: string) {
  const { token } = await service.by({}).identity.login({ body: { email, password } });
  return service.by({ Authorization: `Bearer ${token}` });
}

/** A new user who has signed in and may do all that the role allows. */
export async function joinIn(service: TestControlPlane, role: Role, maker: TestClient) {
  const email = `${role}-${(made += 1)}@example.test`;
  const { id } = await maker.identity.createUser({
    body: { email, role, password: PASSWORD, must_change_password: false },
  });
  return { id, email, client: await signInTo(service, email, PASSWORD), params: { id } };
}
