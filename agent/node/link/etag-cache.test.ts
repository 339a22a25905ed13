import { expect, test } from 'vitest';
import { withEtagCache } from './etag-cache.ts';

/** Responds with a document and its ETag, or with 304 if the request names that ETag. */
function serve(text: string) {
  const service = { text, tagged: true, receivedTags: [] as string[], sent: 0 };
  const fetch = withEtagCache((_url, init) => {
    const tag = `"${service.text}"`;
    const known = (init.headers as Record<string, string>)['if-none-match'] ?? '';
    service.receivedTags.push(known);
    if (service.tagged && known === tag)
      return Promise.resolve(new Response(null, { status: 304 }));
    service.sent += 1;
    const headers: Record<string, string> = service.tagged ? { etag: tag } : {};
    return Promise.resolve(new Response(service.text, { headers }));
  });
  const sendRequest = async (method = 'GET', url = 'https://a.example/config/') => {
    const response = await fetch(url, { method, headers: {} });
    return [response.status, await response.text()];
  };
  return { service, sendRequest };
}

test('an unchanged response is sent once and returned each time', async () => {
  const { service, sendRequest } = serve('one');
  const [one, two] = [
    [200, 'one'],
    [200, 'two'],
  ];
  expect([await sendRequest(), await sendRequest(), await sendRequest()]).toEqual([one, one, one]);
  expect(service).toMatchObject({ sent: 1, receivedTags: ['', '"one"', '"one"'] });
  service.text = 'two';
  expect([await sendRequest(), await sendRequest()]).toEqual([two, two]);
  expect(service).toMatchObject({
    sent: 2,
    receivedTags: ['', '"one"', '"one"', '"one"', '"two"'],
  });
});

test('URLs are distinguished, and responses to writes are never cached', async () => {
  const { service, sendRequest } = serve('one');
  await sendRequest();
  await sendRequest('GET', 'https://a.example/other/');
  await sendRequest('POST');
  expect(service.receivedTags).toEqual(['', '', '']);
});

test('a response without a tag removes the cached one', async () => {
  const { service, sendRequest } = serve('one');
  await sendRequest();
  service.tagged = false;
  expect(await sendRequest()).toEqual([200, 'one']);
  await sendRequest();
  expect(service.receivedTags).toEqual(['', '"one"', '']);
});
