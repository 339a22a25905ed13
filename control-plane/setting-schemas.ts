import { BlockList } from 'node:net';
import { z } from 'zod';
import { roles } from '#contract/route.ts';

export const SECRET = { secret: true };

/** Attaches the description of accepted values that error messages use. */
export const withDescription = <T extends z.ZodType>(
  schema: T,
  description: string,
  more = {},
): T => schema.meta({ description, ...more });

export const wholeNumber = (from: number, to: number, usual: number) =>
  withDescription(
    z.coerce.number().int().min(from).max(to).default(usual),
    `a whole number from ${from} to ${to}`,
  );
export const port = (usual: number) => wholeNumber(0, 65_535, usual);
export const text = (usual: string) =>
  withDescription(z.string().trim().min(1).default(usual), 'text');
export const llmProviders = ['openai', 'anthropic'] as const;
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const synchronous = ['full', 'normal'] as const;

const isLocal = ({ hostname }: URL): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

export const issuer = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.protocol === 'https:' || isLocal(url));

/** A comma-separated list of domains. */
export const domains = z
  .string()
  .transform((text) => text.split(',').map((domain) => domain.trim().toLowerCase()))
  .pipe(z.array(z.string().regex(/^[^\s@.]+(\.[^\s@.]+)+$/)));

/** A comma-separated list of addresses and networks. */
export const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
  .transform((list) => {
    const blocks = new BlockList();
    for (const network of list) {
      const [address = '', bits] = network.split('/');
      const family = address.includes(':') ? 'ipv6' : 'ipv4';
      blocks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    }
    return blocks;
  });

export const proxies = () =>
  withDescription(
    networks.optional(),
    'comma-separated addresses or networks, such as 10.0.0.0/8,fd00::1',
  );

export const roleMap = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.enum(roles)));
