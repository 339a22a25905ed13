import type { identityRoutes } from '#contract/identity.ts';
import type { Handlers } from '../handler.ts';
import { apiKeyHandlers } from './api-keys/api-key-handlers.ts';
import { oidcHandlers } from './oidc/oidc-handlers.ts';
import { passwordHandlers } from './password/password-handlers.ts';
import { browserSessionHandlers } from './sessions/browser-session-handlers.ts';
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
  ...browserSessionHandlers,
  ...userHandlers,
  ...userSessionHandlers,
  ...identitySettingsHandlers,
  ...apiKeyHandlers,
};
