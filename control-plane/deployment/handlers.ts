import type { deploymentRoutes } from '#contract/deployment.ts';
import type { Handlers } from '../handler.ts';
import { installerHandlers } from './installer-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';

export const deploymentHandlers: Handlers<typeof deploymentRoutes> = {
  ...profileHandlers,
  ...installerHandlers,
};
