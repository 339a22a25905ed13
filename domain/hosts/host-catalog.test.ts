import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardConfig } from '#contract/guard.ts';
import { siblingHosts } from './catalog-siblings.ts';
import {
  catalogHostsBelow,
  checkInterceptHosts,
  findCatalogHost,
  hostCatalog,
  isRefusedHost,
  refusedHosts,
} from './host-catalog.ts';

const names = hostCatalog.hosts.map(({ host }) => host);

describe('the catalog', () => {
  test('lists each host once, as a host name or a pattern', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) expect(name).toMatch(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  });

  test('has no host that must never be captured', () => {
    expect(names.filter((name) => isRefusedHost(name.replace('*.', 'tenant.')))).toEqual([]);
  });

  test('has no pattern that covers a whole domain', () => {
    const patterns = names.filter((name) => name.startsWith('*.'));
    expect(patterns.filter((pattern) => pattern.split('.').length < 4)).toEqual([]);
  });

  test('has only entries that findCatalogHost finds', () => {
    for (const entry of hostCatalog.hosts)
      expect(findCatalogHost(entry.host.replace('*', 'tenant-1'))).toEqual(entry);
  });
});

describe('aliases', () => {
  test('are hosts of the catalog and refer to each other', () => {
    for (const { host, aliases } of hostCatalog.hosts) {
      expect(new Set(aliases).size).toBe(aliases.length);
      for (const alias of aliases) {
        const other = hostCatalog.hosts.find((entry) => entry.host === alias);
        expect(other?.aliases, `${alias} beside ${host}`).toContain(host);
      }
    }
    expect(siblingHosts.flat().filter((host) => !names.includes(host))).toEqual([]);
  });

  test.each([
    ['claude.ai', ['api.anthropic.com']],
    ['chat.openai.com', ['chatgpt.com']],
    ['perplexity.ai', ['www.perplexity.ai']],
    ['api.groq.com', []],
  ])('%s: %j', (host, aliases) => {
    expect(findCatalogHost(host)?.aliases).toEqual(aliases);
  });
});

describe('regions', () => {
  test('are part of their hosts’ names', () => {
    const regional = hostCatalog.hosts.filter(({ region }) => region !== null);
    expect(regional.length).toBeGreaterThan(60);
    for (const { host, region } of regional) expect(host).toContain(region);
  });
});

describe('the version', () => {
  // Devices and consoles distinguish catalogs by the version, so every edit of the hosts needs a
  // new one.
  test('changes with the hosts', () => {
    const hash = createHash('sha256').update(JSON.stringify(hostCatalog.hosts)).digest('hex');
    expect({ version: hostCatalog.version, hash: hash.slice(0, 16) }).toEqual({
      version: '2026.11.3',
      hash: '49ebcdd187babcad',
    });
  });
});

describe('findCatalogHost', () => {
  test.each([
    ['api.openai.com', 'api.openai.com'],
    ['API.OpenAI.com.', 'api.openai.com'],
    [' claude.ai ', 'claude.ai'],
    ['contoso.openai.azure.com', '*.openai.azure.com'],
    ['bedrock-runtime.eu-central-1.amazonaws.com', 'bedrock-runtime.eu-central-1.amazonaws.com'],
    ['europe-west4-aiplatform.googleapis.com', 'europe-west4-aiplatform.googleapis.com'],
    ['openai.azure.com', undefined],
    ['a.b.openai.azure.com', undefined],
    ['xn--contoso-9cb.openai.azure.com', undefined],
    ['xn--pi-6kc.openai.com', undefined],
    ['\u0430pi.openai.com', undefined],
    ['mail.openai.azure.com', undefined],
    ['*.openai.azure.com', undefined],
    ['.openai.azure.com', undefined],
    ['-.openai.azure.com', undefined],
    ['sub.api.openai.com', undefined],
    ['api.openai.com.evil.example', undefined],
    ['evilapi.openai.com', undefined],
    ['openai.com', undefined],
    ['api.openai.com:443', undefined],
    ['https://api.openai.com', undefined],
    ['api.openai.com..', undefined],
    ['104.18.6.192', undefined],
    ['github.com', undefined],
    ['', undefined],
  ])('%j belongs to the entry %j', (name, host) => {
    expect(findCatalogHost(name)?.host).toBe(host);
  });
});

describe('isRefusedHost', () => {
  test.each([
    'www.bankofamerica.com',
    'online.commerzbank.de',
    'www.deutsche-bank.de',
    'secure.chase.com',
    'CHASE.com.',
    'anything.bank',
    'kunde.sparkasse-musterstadt.de',
    'api.stripe.com',
    'mychart.example.org',
    'patient-portal.example.org',
    'www.nhs.uk',
    'www.stjohns-hospital.example',
    'someone.health',
    'mail.google.com',
    'www.gmail.com',
    'outlook.office.com',
    'imap.fastmail.com',
    'smtp.example.com',
    'webmail.example.com',
    'autodiscover.example.com',
    'mail.proton.me',
  ])('refuses %s', (name) => {
    expect(isRefusedHost(name)).toBe(true);
  });

  test.each(['api.openai.com', 'www.bing.com', 'popular.example.com', 'chases.com', 'medium.com'])(
    'does not refuse %s',
    (name) => {
      expect(isRefusedHost(name)).toBe(false);
    },
  );

  test('refuses every listed domain with its subdomains', () => {
    const domains = refusedHosts.flatMap((refused) => refused.domains);
    fc.assert(
      fc.property(fc.constantFrom(...domains), fc.domain(), (domain, prefix) => {
        expect(isRefusedHost(`${prefix}.${domain}`)).toBe(true);
      }),
    );
  });
});

describe('checkInterceptHosts', () => {
  test('separates names that may be captured from unknown and refused ones', () => {
    expect(
      checkInterceptHosts([
        'claude.ai',
        'API.openai.com.',
        'api.openai.com',
        'intranet.example.com',
        '*.openai.azure.com',
        'mail.google.com',
      ]),
    ).toEqual({
      hosts: ['api.openai.com', 'claude.ai'],
      unknown: ['intranet.example.com', '*.openai.azure.com'],
      refused: ['mail.google.com'],
    });
  });

  test('refuses a mail host that was added to the catalog', () => {
    const catalog = {
      version: 'edited',
      hosts: ['mail.google.com', '*.google.com', 'api.openai.com'].map((host) => ({
        host,
        provider: 'x',
        name: 'x',
        region: null,
        aliases: [],
      })),
    };
    expect(findCatalogHost('mail.google.com', catalog)).toBe(undefined);
    expect(checkInterceptHosts(['mail.google.com', 'gemini.google.com'], catalog)).toEqual({
      hosts: ['gemini.google.com'],
      unknown: [],
      refused: ['mail.google.com'],
    });
  });

  test('accepts its own result, and reports only given names', () => {
    const name = fc.oneof(fc.constantFrom(...names), fc.domain(), fc.string());
    fc.assert(
      fc.property(fc.uniqueArray(name), (given) => {
        const { hosts, unknown, refused } = checkInterceptHosts(given);
        expect(checkInterceptHosts(hosts)).toEqual({ hosts, unknown: [], refused: [] });
        expect(guardConfig.safeParse({ intercept_hosts: hosts }).success).toBe(true);
        expect(unknown.length + refused.length).toBeLessThanOrEqual(given.length);
        expect([...unknown, ...refused].every((it) => given.includes(it))).toBe(true);
      }),
    );
  });
});

describe('catalogHostsBelow', () => {
  const offer = { provider: 'Example', name: 'Example', region: null, aliases: [] };
  const catalog = {
    version: '1',
    hosts: [
      'ai.example',
      'eu.ai.example',
      'de.eu.ai.example',
      '*.ai.example',
      'myai.example',
      'example',
    ].map((host) => ({ ...offer, host })),
  };

  test.each([
    [['ai.example'], ['eu.ai.example', 'de.eu.ai.example']],
    [['ai.example', 'eu.ai.example'], ['de.eu.ai.example']],
    [['ai.example', 'de.eu.ai.example'], []],
    [
      ['ai.example', 'fr.ai.example'],
      ['eu.ai.example', 'de.eu.ai.example'],
    ],
    [['eu.ai.example'], ['de.eu.ai.example']],
    [['myai.example'], []],
    [[], []],
  ])('below %j: %j', (hosts, below) => {
    expect(catalogHostsBelow(hosts, catalog)).toEqual(below);
  });

  test('returns the regional hosts of an API, but none that are listed already', () => {
    expect(catalogHostsBelow(['api.openai.com', 'us.api.openai.com'])).toContain(
      'eu.api.openai.com',
    );
    expect(catalogHostsBelow(['api.openai.com', 'us.api.openai.com'])).not.toContain(
      'us.api.openai.com',
    );
    expect(catalogHostsBelow(['eu.api.openai.com'])).toEqual([]);
  });
});
