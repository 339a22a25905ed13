import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { endSession } from './session.ts';

export const api = createClient(contract, { baseUrl: location.origin, fetch: fetchWatched });

async function fetchWatched(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status === 401) endSession();
  return response;
}
