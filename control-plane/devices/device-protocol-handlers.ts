import type { deviceRoutes } from '#contract/device-protocol.ts';
import type { Handlers } from '../handler.ts';
import { enforcementHandlers } from '../captures/enforcement-handlers.ts';
import { enrollmentHandlers } from '../enrollment/handlers.ts';
import { recordingKeyHandlers } from '../recording-keys/recording-key-handlers.ts';
import { reportHandlers } from '../device-reports/handlers.ts';
import { toolCheckHandlers } from '../tool-checks/handlers.ts';

export const deviceHandlers: Handlers<typeof deviceRoutes> = {
  ...enrollmentHandlers,
  ...reportHandlers,
  ...enforcementHandlers,
  ...recordingKeyHandlers,
  ...toolCheckHandlers,
};
