import { backoffMs } from './delivery/backoff.ts';
import type { Send } from './delivery/request.ts';
import type { Settings } from './config.ts';
import {
  fallbackOf,
  type GetPrompt,
  type Prompt,
  PromptError,
  type PromptQuery,
  promptOf,
} from './prompt.ts';

type FetchPrompt = (name: string, query: PromptQuery) => Promise<Prompt>;

// A label that moves is noticed within this time.
const FRESH_MS = 60_000;
// While the server is away, an agent waits for it only so often.
const FAILED_MS = 5000;
const MOST_KEPT = 1000;

interface Kept {
  prompt: Prompt | undefined;
  error: PromptError | undefined;
  freshUntil: number;
}

/** Keeps what was fetched for a minute, and for longer while nothing newer can be had. */
export function createGetPrompt(fetchPrompt: FetchPrompt): GetPrompt {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Promise<Kept>>();

  return async (name, query = {}) => {
    const key = JSON.stringify([name, query.version ?? query.label ?? null]);
    const known = kept.get(key);
    const fresh = known && Date.now() < known.freshUntil;
    const { prompt, error } = fresh ? known : await refresh(key, name, query);
    if (prompt) return prompt;
    if (query.fallback !== undefined) return fallbackOf(name, query.fallback);
    throw error ?? new PromptError(`the prompt "${name}" could not be had`);
  };

  /** Fetches it anew, once for all that ask for it meanwhile. */
  function refresh(key: string, name: string, query: PromptQuery): Promise<Kept> {
    const same = underWay.get(key);
    if (same) return same;
    const fetching = fetchKept(name, query, kept.get(key)).then((entry) => {
      underWay.delete(key);
      keep(key, entry);
      return entry;
    });
    underWay.set(key, fetching);
    return fetching;
  }

  async function fetchKept(
    name: string,
    query: PromptQuery,
    known: Kept | undefined,
  ): Promise<Kept> {
    try {
      const prompt = await fetchPrompt(name, query);
      return { prompt, error: undefined, freshUntil: Date.now() + FRESH_MS };
    } catch (error) {
      const failure = error instanceof PromptError ? error : new PromptError(String(error));
      // What is no longer there must not be used on; what cannot be reached may.
      const prompt = failure.status === undefined ? known?.prompt : undefined;
      const freshUntil = Date.now() + (failure.status === 404 ? 0 : FAILED_MS);
      return { prompt, error: failure, freshUntil };
    }
  }

  function keep(key: string, entry: Kept): void {
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, entry);
  }
}

// An agent waits for this.
const LONGEST_MS = 3000;
const ATTEMPTS = 3;

/** One fetch, tried again while the server is there but fails. Throws a PromptError. */
export const createFetchPrompt =
  (send: Send, settings: Pick<Settings, 'timeoutMs' | 'retryDelayMs'>): FetchPrompt =>
  async (name, query) => {
    const path = `/api/v1/observe/prompts/${encodeURIComponent(name)}/${searchOf(query)}`;
    const timeoutMs = Math.min(settings.timeoutMs, LONGEST_MS);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send({ method: 'GET', path, timeoutMs });
      if (answer.kind === 'ok') return promptOf(answer.body);
      const message = `${describe(name, query)} could not be had: ${answer.message}`;
      if (answer.kind === 'refused') throw new PromptError(message, answer.status);
      // After a silence of seconds, another try would only make the agent wait longer.
      if (answer.kind === 'away' || attempt === ATTEMPTS) throw new PromptError(message);
      await new Promise((resolve) => {
        setTimeout(resolve, backoffMs(attempt, settings.retryDelayMs));
      });
    }
  };

/** While observation is off there are only fallbacks. */
export const noPrompts =
  (why: string): FetchPrompt =>
  (name, query) =>
    Promise.reject(new PromptError(`${describe(name, query)} could not be had: ${why}`));

function searchOf({ version, label }: PromptQuery): string {
  if (version !== undefined) return `?version=${version}`;
  return label === undefined ? '' : `?label=${encodeURIComponent(label)}`;
}

function describe(name: string, { version, label }: PromptQuery): string {
  const which = version !== undefined ? ` version ${version}` : label ? ` label "${label}"` : '';
  return `the prompt "${name}"${which}`;
}
