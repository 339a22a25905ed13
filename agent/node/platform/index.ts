import { darwin } from './darwin.ts';
import { linux } from './linux.ts';
import type { Platform } from './platform.ts';

export type { Platform };

export const platform: Platform = process.platform === 'darwin' ? darwin : linux;
