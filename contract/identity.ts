import { apiKeyRoutes } from './api-keys.ts';
import { signInRoutes } from './sign-in.ts';
import { userRoutes } from './users.ts';

/** Who people and programs are, and how they prove it. */
export const identityRoutes = { ...signInRoutes, ...userRoutes, ...apiKeyRoutes } as const;
