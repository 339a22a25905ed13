import type { RouteResponse } from '#contract/route.ts';
import type { identityRoutes } from '#contract/identity.ts';

export type User = RouteResponse<typeof identityRoutes.me>;

export type Session =
  | { status: 'unknown' }
  | { status: 'signed-out' }
  /** Signed in, but the service accepts only the requests needed to leave the tenant. */
  | { status: 'suspended' }
  | { status: 'signed-in'; user: User };

let session: Session = { status: 'unknown' };
const listeners = new Set<() => void>();

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export const readSession = (): Session => session;

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function beginSession(user: User): void {
  change({ status: 'signed-in', user });
}

/** Called after a 401. The URL stays, so that sign-in returns to the same page. */
export function endSession(): void {
  if (session.status !== 'signed-out') change({ status: 'signed-out' });
}

export function suspendSession(): void {
  if (session.status !== 'suspended') change({ status: 'suspended' });
}

/** Whether to offer changes to the user. The service enforces the same permissions. */
export const mayWrite = (user: Pick<User, 'role'>): boolean => user.role !== 'viewer';

export const mayAdminister = (user: Pick<User, 'role'>): boolean =>
  user.role === 'admin' || user.role === 'owner';
