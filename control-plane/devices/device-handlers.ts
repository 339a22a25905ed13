import type { deviceRoutes } from '#contract/device.ts';
import type { Handlers } from '../http/handler.ts';
import { enforcementHandlers } from '../captures/enforcement-handlers.ts';
import { enrollmentHandlers } from '../enrollment/handlers.ts';
import { reportHandlers } from '../device-reports/handlers.ts';

export const deviceHandlers: Handlers<typeof deviceRoutes> = {
  ...enrollmentHandlers,
  ...reportHandlers,
  ...enforcementHandlers,
};
