import type { z } from 'zod';
import type { fleetRoutes } from '#contract/fleet.ts';

export type DeviceFilter = z.output<typeof fleetRoutes.listDevices.query>;
export type AppFilter = z.output<typeof fleetRoutes.listApps.query>;
export type FlowFilter = z.output<typeof fleetRoutes.listFlows.query>;
