import type { StatusMessage } from '../bridge.ts';

export interface State {
  text: string;
  tone: 'good' | 'waiting' | 'bad';
}

/** How the agent is, in a word or two. */
export function describeState({ phase, connected }: StatusMessage): State {
  if (phase === 'waiting for configuration')
    return { text: 'Waiting for configuration', tone: 'waiting' };
  if (phase === 'enrolling') return { text: 'Enrolling', tone: 'waiting' };
  if (phase === 'waiting for approval') return { text: 'Waiting for approval', tone: 'waiting' };
  return connected ? { text: 'Connected', tone: 'good' } : { text: 'No connection', tone: 'bad' };
}
