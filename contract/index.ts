import { deploymentRoutes } from './deployment.ts';
import { deviceRoutes } from './device.ts';
import { fleetRoutes } from './fleet.ts';
import { guardRoutes } from './guard.ts';
import { identityRoutes } from './identity.ts';
import { recordingRoutes } from './recording.ts';
import { runRoutes } from './runs.ts';
import { serviceRoutes } from './service.ts';

/** Everything the service can be asked, by capability. */
export const contract = {
  recording: recordingRoutes,
  runs: runRoutes,
  identity: identityRoutes,
  fleet: fleetRoutes,
  guard: guardRoutes,
  device: deviceRoutes,
  deployment: deploymentRoutes,
  service: serviceRoutes,
} as const;
