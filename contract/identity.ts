import { apiKeyRoutes } from './api-keys.ts';
import { signInRoutes } from './sign-in.ts';
import { userRoutes } from './users.ts';

/** Identities of people and programs, and their authentication. */
export const identityRoutes = { ...signInRoutes, ...userRoutes, ...apiKeyRoutes } as const;
