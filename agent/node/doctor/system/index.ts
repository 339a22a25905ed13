import { darwin } from './darwin.ts';
import { linux } from './linux.ts';
import type { DoctorSystem } from './system.ts';

export type { DoctorSystem } from './system.ts';

export const system: DoctorSystem = process.platform === 'darwin' ? darwin : linux;
