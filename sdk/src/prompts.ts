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

// The maximum delay until a moved label takes effect.
const FRESH_MS = 60_000;
// The time between attempts while the server is unavailable.
const FAILED_MS = 5000;
const MAX_CACHED = 1000;

interface CacheEntry {
  prompt: Prompt | undefined;
  error: PromptError | undefined;
  freshUntil: number;
}

/**
 * Creates a cache, which keeps prompts for a minute, and longer while the server is unavailable.
 */
export function createGetPrompt(fetchPrompt: FetchPrompt): GetPrompt {
  const cache = new Map<string, CacheEntry>();
  const inFlight = new Map<string, Promise<CacheEntry>>();

  return async (name, query = {}) => {
    const key = JSON.stringify([name, query.version ?? query.label ?? null]);
    const cached = cache.get(key);
    const fresh = cached && Date.now() < cached.freshUntil;
    const { prompt, error } = fresh ? cached : await refresh(key, name, query);
    if (prompt) return prompt;
    if (query.fallback !== undefined) return fallbackOf(name, query.fallback);
    throw error ?? new PromptError(`the prompt "${name}" could not be fetched`);
  };

  /** Fetches a prompt. Concurrent calls for the same key share one request. */
  function refresh(key: string, name: string, query: PromptQuery): Promise<CacheEntry> {
    const current = inFlight.get(key);
    if (current) return current;
    const fetching = fetchEntry(name, query, cache.get(key)).then((entry) => {
      inFlight.delete(key);
      store(key, entry);
      return entry;
    });
    inFlight.set(key, fetching);
    return fetching;
  }

  async function fetchEntry(
    name: string,
    query: PromptQuery,
    cached: CacheEntry | undefined,
  ): Promise<CacheEntry> {
    try {
      const prompt = await fetchPrompt(name, query);
      return { prompt, error: undefined, freshUntil: Date.now() + FRESH_MS };
    } catch (error) {
      const failure = error instanceof PromptError ? error : new PromptError(String(error));
      // The cached prompt stays in use if the server is unavailable, but not if it was deleted.
      const prompt = failure.status === undefined ? cached?.prompt : undefined;
      const freshUntil = Date.now() + (failure.status === 404 ? 0 : FAILED_MS);
      return { prompt, error: failure, freshUntil };
    }
  }

  function store(key: string, entry: CacheEntry): void {
    cache.delete(key);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(key, entry);
  }
}

// Agents wait for prompts, so the timeout is shorter than that of background requests.
const MAX_TIMEOUT_MS = 3000;
const MAX_ATTEMPTS = 3;

/**
 * Fetches a prompt, with retries if the server responds with transient errors.
 *
 * @throws PromptError
 */
export const createFetchPrompt =
  (send: Send, settings: Pick<Settings, 'timeoutMs' | 'retryDelayMs'>): FetchPrompt =>
  async (name, query) => {
    const path = `/api/v1/observe/prompts/${encodeURIComponent(name)}/${searchOf(query)}`;
    const timeoutMs = Math.min(settings.timeoutMs, MAX_TIMEOUT_MS);
    for (let attempt = 1; ; attempt += 1) {
      const result = await send({ method: 'GET', path, timeoutMs });
      if (result.kind === 'ok') return promptOf(result.body);
      const message = `${describe(name, query)} could not be fetched: ${result.message}`;
      const { reason } = result;
      if (result.kind === 'refused')
        throw new PromptError(message, { status: result.status, reason });
      // After a timeout of seconds, a retry would only make the agent wait longer.
      if (result.kind === 'unavailable' || attempt === MAX_ATTEMPTS)
        throw new PromptError(message, { reason });
      await new Promise((resolve) => {
        setTimeout(resolve, backoffMs(attempt, settings.retryDelayMs));
      });
    }
  };

/** Makes every fetch fail for a disabled SDK, so that fallbacks are used. */
export const noPrompts =
  (reason: string): FetchPrompt =>
  (name, query) =>
    Promise.reject(new PromptError(`${describe(name, query)} could not be fetched: ${reason}`));

function searchOf({ version, label }: PromptQuery): string {
  if (version !== undefined) return `?version=${version}`;
  return label === undefined ? '' : `?label=${encodeURIComponent(label)}`;
}

function describe(name: string, { version, label }: PromptQuery): string {
  const which = version !== undefined ? ` version ${version}` : label ? ` label "${label}"` : '';
  return `the prompt "${name}"${which}`;
}
