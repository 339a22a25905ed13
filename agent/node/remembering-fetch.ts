import type { HttpsFetch } from './https-fetch.ts';

interface Remembered {
  tag: string;
  text: string;
}

/**
 * `fetch` that remembers the last answer of each address that came with an entity tag, and asks only
 * whether it still holds: an answer that has not changed is not sent again. The caller does not see
 * the difference.
 */
export function rememberingFetch(fetch: HttpsFetch): HttpsFetch {
  const answers = new Map<string, Remembered>();
  return async (url, init) => {
    if (init.method !== 'GET') return fetch(url, init);
    const known = answers.get(url);
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(known && { 'if-none-match': known.tag }),
    };
    const answer = await fetch(url, { ...init, headers });
    if (known && answer.status === 304) return new Response(known.text);
    const tag = answer.headers.get('etag');
    if (!answer.ok || tag === null) {
      answers.delete(url);
      return answer;
    }
    const text = await answer.text();
    answers.set(url, { tag, text });
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
}
