import { chromium } from 'playwright-core';

/*
 * A program that prints the content of a page, or makes the page send a request to another host and
 * prints each chunk of the response. Arguments: the browser, the URL of the page, and the request
 * as JSON.
 */

interface PageRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

declare const say: (text: string) => Promise<void>;

const [executablePath = '', address = '', request] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  env: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
});
try {
  const page = await browser.newPage();
  await page.exposeFunction('say', (text: string) => void process.stdout.write(text));
  await page.goto(address);
  if (request) await page.evaluate(sendRequest, JSON.parse(request) as PageRequest);
  else process.stdout.write(await page.innerText('body'));
} finally {
  await browser.close();
}

/** Sends the request; runs in the page. */
async function sendRequest({ url, headers, body }: PageRequest): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok || !response.body) throw new Error(`returned ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    await say(value);
  }
}
