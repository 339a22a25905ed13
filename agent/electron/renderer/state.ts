import type { StatusMessage } from '../bridge.ts';
import type { Speaker } from '../words/speaker.ts';

export interface State {
  text: string;
  tone: 'good' | 'waiting' | 'bad';
}

/** How the agent is, in a word or two. */
export function describeState({ phase, connected }: StatusMessage, { say }: Speaker): State {
  if (phase !== 'enrolled') return { text: say(`state.${phase}`), tone: 'waiting' };
  return connected
    ? { text: say('state.connected'), tone: 'good' }
    : { text: say('state.disconnected'), tone: 'bad' };
}
