import type { Permission, Route } from '#contract/route.ts';

/** What programs must be allowed, one of these, to call a route; nothing where any key will do. */
export const permissionsFor = ({ auth, permission }: Route): readonly Permission[] => {
  // Who may administer may do all that is administered.
  if (auth === 'admin') return [permission ?? 'admin', 'admin'];
  return permission ? [permission] : [];
};
