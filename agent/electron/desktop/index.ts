import { darwin } from './darwin.ts';
import type { Desktop } from './desktop.ts';
import { linux } from './linux.ts';

export const desktop: Desktop = process.platform === 'darwin' ? darwin : linux;
