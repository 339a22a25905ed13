import type { NamedProxy } from './surroundings.ts';

/** The proxy for HTTPS in the output of `scutil --proxy`, and the file that may name others. */
export function parseProxySettings(text: string): NamedProxy[] {
  const value = (name: string): string | undefined =>
    new RegExp(`^\\s*${name} : (.+)$`, 'm').exec(text)?.[1]?.trim();
  const where = "the system's settings";
  const found: NamedProxy[] = [];
  if (value('HTTPSEnable') === '1')
    found.push({ where, address: `${value('HTTPSProxy')}:${value('HTTPSPort') ?? 443}` });
  if (value('ProxyAutoConfigEnable') === '1')
    found.push({ where, address: `as ${addressOf(value('ProxyAutoConfigURLString') ?? '')} says` });
  return found;
}

/** host:port of a URL, or of what is written like `proxy:8080`; never its user and password. */
export function addressOf(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  return url?.host || 'an address that cannot be read';
}
