import type { HttpsFetch } from './https-fetch.ts';

interface CachedResponse {
  tag: string;
  text: string;
}

/**
 * Wraps `fetch` with a cache of the last response of each URL that had an entity tag. It
 * revalidates with `If-None-Match`, so that an unchanged response is not sent again. The caller
 * sees no difference.
 */
export function withEtagCache(fetch: HttpsFetch): HttpsFetch {
  const cache = new Map<string, CachedResponse>();
  return async (url, init) => {
    if (init.method !== 'GET') return fetch(url, init);
    const cached = cache.get(url);
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(cached && { 'if-none-match': cached.tag }),
    };
    const response = await fetch(url, { ...init, headers });
    if (cached && response.status === 304) return new Response(cached.text);
    const tag = response.headers.get('etag');
    if (!response.ok || tag === null) {
      cache.delete(url);
      return response;
    }
    const text = await response.text();
    cache.set(url, { tag, text });
    return new Response(text, { status: response.status, headers: response.headers });
  };
}
