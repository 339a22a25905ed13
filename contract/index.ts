import { analyticsRoutes } from './analytics.ts';
import { costRoutes } from './costs.ts';
import { deploymentRoutes } from './deployment.ts';
import { deviceRoutes } from './device.ts';
import { fleetRoutes } from './fleet.ts';
import { guardRoutes } from './guard.ts';
import { eventRoutes } from './events.ts';
import { identityRoutes } from './identity.ts';
import { llmCallRoutes } from './llm-calls.ts';
import { memoryRoutes } from './memory.ts';
import { otelRoutes } from './otel.ts';
import { playgroundRoutes } from './playground.ts';
import { promptRoutes } from './prompts.ts';
import { recordingRoutes } from './recording.ts';
import { runRoutes } from './runs.ts';
import { scoreRoutes } from './scores.ts';
import { serviceRoutes } from './service.ts';
import { settingsRoutes } from './settings.ts';

/** Everything the service can be asked, by capability. */
export const contract = {
  recording: recordingRoutes,
  runs: runRoutes,
  llmCalls: llmCallRoutes,
  analytics: analyticsRoutes,
  scores: scoreRoutes,
  memory: memoryRoutes,
  events: eventRoutes,
  prompts: promptRoutes,
  playground: playgroundRoutes,
  costs: costRoutes,
  otel: otelRoutes,
  settings: settingsRoutes,
  identity: identityRoutes,
  fleet: fleetRoutes,
  guard: guardRoutes,
  device: deviceRoutes,
  deployment: deploymentRoutes,
  service: serviceRoutes,
} as const;
