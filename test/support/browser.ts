/** A minimal browser with redirects and cookies, which does not render pages. */
export interface Browser {
  /** Opens a URL and follows redirects until one matches `stop`. */
  open(url: string, stop?: RegExp): Promise<Page>;
  /** Submits the form on a page with these field values. */
  submit(page: Page, fields: Record<string, string>, stop?: RegExp): Promise<Page>;
  cookie(name: string): string | undefined;
  forgetCookie(name: string): void;
  keepCookie(name: string, value: string): void;
}

export interface Page {
  url: string;
  status: number;
  text: string;
}

interface Form {
  method: 'POST';
  body: URLSearchParams;
}

interface Stored {
  value: string;
  host: string;
  path: string;
}

const MAX_REDIRECTS = 12;

export function openBrowser(): Browser {
  const cookies = new Map<string, Stored>();

  const cookiesFor = (url: URL): string =>
    [...cookies]
      .filter(([, { host, path }]) => host === url.host && url.pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ').at(-1)}=${value}`)
      .join('; ');

  const keep = (url: URL, header: string): void => {
    const [pair = '', ...attributes] = header.split(/;\s*/);
    const [name = '', ...value] = pair.split('=');
    const attribute = (wanted: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.split('=')[1];
    const path = attribute('path') ?? '/';
    const key = `${url.host} ${path} ${name}`;
    const expires = Date.parse(attribute('expires') ?? '');
    if (attribute('max-age') === '0' || expires < Date.now()) cookies.delete(key);
    else cookies.set(key, { value: value.join('='), host: url.host, path });
  };

  const go = async (
    first: string,
    form: Form | undefined,
    stop: RegExp | undefined,
  ): Promise<Page> => {
    let url = new URL(first);
    let request: Form | undefined = form;
    for (let i = 0; i < MAX_REDIRECTS; i += 1) {
      if (stop?.test(url.href)) return { url: url.href, status: 0, text: '' };
      const headers = { Accept: 'text/html', Cookie: cookiesFor(url) };
      const response = await fetch(url, { ...request, headers, redirect: 'manual' });
      for (const header of response.headers.getSetCookie()) keep(url, header);
      const location = response.headers.get('location');
      const text = await response.text();
      if (!location) return { url: url.href, status: response.status, text };
      url = new URL(location, url);
      request = undefined;
    }
    throw new Error(`${first} redirects endlessly`);
  };

  const keyOf = (name: string) => [...cookies.keys()].find((key) => key.endsWith(` ${name}`));
  return {
    open: (url, stop) => go(url, undefined, stop),
    submit(page, fields, stop) {
      const action = /<form[^>]*\saction="([^"]+)"/.exec(page.text)?.[1];
      if (!action) throw new Error(`there is no form at ${page.url}`);
      const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="(\w+)"/g)];
      const body = new URLSearchParams({
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
        ...fields,
      });
      return go(new URL(action, page.url).href, { method: 'POST', body }, stop);
    },
    cookie: (name) => cookies.get(keyOf(name) ?? '')?.value,
    forgetCookie: (name) => void cookies.delete(keyOf(name) ?? ''),
    keepCookie(name, value) {
      const stored = cookies.get(keyOf(name) ?? '');
      if (stored) stored.value = value;
    },
  };
}
