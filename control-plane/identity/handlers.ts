import type { identityRoutes } from '#contract/identity.ts';
import type { Handlers } from '../http/handler.ts';
import { apiKeyHandlers } from './api-keys/api-key-handlers.ts';
import { oidcHandlers } from './oidc/oidc-handlers.ts';
import { passwordHandlers } from './password/password-handlers.ts';
import { sessionHandlers } from './sessions/session-handlers.ts';
import { signInHandlers } from './sign-in/sign-in-handlers.ts';
import { userHandlers } from './users/user-handlers.ts';
import { userSessionHandlers } from './users/user-session-handlers.ts';
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
