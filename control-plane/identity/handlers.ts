import type { identityRoutes } from '#contract/identity.ts';
import type { Handlers } from '../http/call.ts';
import { apiKeyHandlers } from './keys/handlers.ts';
import { oidcHandlers } from './oidc/handlers.ts';
import { passwordHandlers } from './password/handlers.ts';
import { sessionHandlers } from './sessions/handlers.ts';
import { signInHandlers } from './sign-in/handlers.ts';
import { userHandlers } from './users/handlers.ts';
import { userSessionHandlers } from './users/session-handlers.ts';
import { identitySettingsHandlers } from './users/settings-handlers.ts';

export const identityHandlers: Handlers<typeof identityRoutes> = {
  ...signInHandlers,
  ...oidcHandlers,
  ...passwordHandlers,
  ...sessionHandlers,
  ...userHandlers,
  ...userSessionHandlers,
  ...identitySettingsHandlers,
  ...apiKeyHandlers,
};
