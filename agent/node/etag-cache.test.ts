import { expect, test } from 'vitest';
import { withEtagCache } from './etag-cache.ts';

/** Responds with a document and its ETag, or with 304 if the request names that ETag. */
function serve(text: string) {
  const service = { text, tagged: true, asked: [] as string[], sent: 0 };
  const fetch = withEtagCache((_url, init) => {
    const tag = `"${service.text}"`;
    const known = (init.headers as Record<string, string>)['if-none-match'] ?? '';
    service.asked.push(known);
    if (service.tagged && known === tag)
      return Promise.resolve(new Response(null, { status: 304 }));
    service.sent += 1;
    const headers: Record<string, string> = service.tagged ? { etag: tag } : {};
    return Promise.resolve(new Response(service.text, { headers }));
  });
  const ask = async (method = 'GET', url = 'https://a.example/config/') => {
    const answer = await fetch(url, { method, headers: {} });
    return [answer.status, await answer.text()];
  };
  return { service, ask };
}

test('an unchanged response is sent once and returned each time', async () => {
  const { service, ask } = serve('one');
  const [one, two] = [
    [200, 'one'],
    [200, 'two'],
  ];
  expect([await ask(), await ask(), await ask()]).toEqual([one, one, one]);
  expect(service).toMatchObject({ sent: 1, asked: ['', '"one"', '"one"'] });
  service.text = 'two';
  expect([await ask(), await ask()]).toEqual([two, two]);
  expect(service).toMatchObject({ sent: 2, asked: ['', '"one"', '"one"', '"one"', '"two"'] });
});

test('URLs are distinguished, and responses to writes are never cached', async () => {
  const { service, ask } = serve('one');
  await ask();
  await ask('GET', 'https://a.example/other/');
  await ask('POST');
  expect(service.asked).toEqual(['', '', '']);
});

test('a response without a tag removes the cached one', async () => {
  const { service, ask } = serve('one');
  await ask();
  service.tagged = false;
  expect(await ask()).toEqual([200, 'one']);
  await ask();
  expect(service.asked).toEqual(['', '"one"', '']);
});
