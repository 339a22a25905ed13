import type { PlaygroundProvider } from '#contract/playground.ts';
import { api } from './api.ts';
import type { Source } from './query.ts';

/** The configured provider. It changes only when the control plane restarts. */
export const playgroundProvider = (): Source<PlaygroundProvider> => ({
  key: 'playground provider',
  topics: [],
  load: (signal) => api.playground.getPlaygroundProvider(undefined, { signal }),
});
