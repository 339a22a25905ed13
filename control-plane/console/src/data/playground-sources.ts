import type { PlaygroundProvider } from '#contract/playground.ts';
import { api } from './api.ts';
import type { Source } from './query.ts';

/** The configured provider: it changes only when the control plane is restarted. */
export const playgroundProvider = (): Source<PlaygroundProvider> => ({
  key: 'playground provider',
  topics: [],
  load: (signal) => api.playground.getPlaygroundProvider(undefined, { signal }),
});
