import type { CommandLineTool } from './entry.ts';

type Signals = Omit<CommandLineTool, 'id' | 'name' | 'vendor' | 'kind'>;

export const tool = (
  id: string,
  name: string,
  vendor: string,
  signals: Signals,
): CommandLineTool => ({ id, name, vendor, kind: 'cli', ...signals });
