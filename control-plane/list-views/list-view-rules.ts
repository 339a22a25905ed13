import { ApiError } from '#contract/errors.ts';
import { roles } from '#contract/route.ts';
import type { SessionCaller } from '../http/caller.ts';

interface Owned {
  owner_id: string;
  is_shared: number;
}

type Viewer = Pick<SessionCaller, 'userId' | 'role'>;

const isAtLeast = (role: Viewer['role'], least: Viewer['role']): boolean =>
  roles.indexOf(role) >= roles.indexOf(least);

export const maySee = (view: Owned, { userId }: Viewer): boolean =>
  view.is_shared === 1 || view.owner_id === userId;

export const mayChange = (view: Owned, { userId, role }: Viewer): boolean =>
  view.owner_id === userId || (view.is_shared === 1 && isAtLeast(role, 'admin'));

/** @throws ApiError `forbidden` */
export function refuseSharing({ role }: Viewer): void {
  if (!isAtLeast(role, 'analyst'))
    throw new ApiError('missing_permission', 'sharing needs the role analyst, admin or owner');
}
