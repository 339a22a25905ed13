import { apiKeyRoutes } from './api-keys.ts';
import { signInRoutes } from './sign-in.ts';
import { userRoutes } from './users.ts';

/** The routes for the identities of people and programs, and for their authentication. */
export const identityRoutes = { ...signInRoutes, ...userRoutes, ...apiKeyRoutes } as const;
