import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardFieldNames, guardFields, guardLevels } from '#contract/guard.ts';
import { findCatalogHost } from '../hosts/host-catalog.ts';
import type { GuardField, GuardLayer, GuardTarget } from './cascade.ts';
import { resolveGuard } from './cascade.ts';

const [a, b, c] = ['api.anthropic.com', 'api.openai.com', 'claude.ai'] as const;

const off = {
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
};
const fromDefault = {
  capture_enabled: 'default',
  intercept_hosts: 'default',
  intercept_processes: 'default',
  blocked_hosts: 'default',
  blocked_processes: 'default',
  enforce_policies: 'default',
  pause_minutes: 'default',
};

const target: GuardTarget = {
  app_type: 'editor_extension',
  user_group: 'finance',
  device: 'dev_1',
  agent: 'claude-code',
};

interface Case {
  name: string;
  layers: GuardLayer[];
  target?: GuardTarget;
  profile?: string[];
  effective: object;
  sources: object;
}

const cases: Case[] = [
  { name: 'no layer sets a field', layers: [], effective: {}, sources: {} },
  {
    name: 'the profile alone',
    layers: [],
    profile: [a],
    effective: { capture_enabled: true, intercept_hosts: [a] },
    sources: { capture_enabled: 'profile', intercept_hosts: 'profile' },
  },
  {
    name: 'global over the profile, field by field',
    layers: [{ layer: 'global', scope: null, config: { intercept_hosts: [b] } }],
    profile: [a],
    effective: { capture_enabled: true, intercept_hosts: [b] },
    sources: { capture_enabled: 'profile', intercept_hosts: 'global' },
  },
  {
    name: 'the most specific layer per field, in whatever order they come',
    layers: [
      { layer: 'agent', scope: 'claude-code', config: { intercept_processes: ['claude'] } },
      { layer: 'device', scope: 'dev_1', config: { intercept_hosts: [c] } },
      { layer: 'global', scope: null, config: { capture_enabled: true, intercept_hosts: [a] } },
      { layer: 'user_group', scope: 'finance', config: { intercept_hosts: [b] } },
      { layer: 'app_type', scope: 'editor_extension', config: { blocked_hosts: ['x.example'] } },
    ],
    effective: {
      capture_enabled: true,
      intercept_hosts: [c],
      intercept_processes: ['claude'],
      blocked_hosts: ['x.example'],
    },
    sources: {
      capture_enabled: 'global',
      intercept_hosts: 'device',
      intercept_processes: 'agent',
      blocked_hosts: 'app_type',
    },
  },
  {
    name: 'layers of other scopes do not apply',
    layers: [
      { layer: 'global', scope: null, config: { capture_enabled: true, intercept_hosts: [a] } },
      { layer: 'device', scope: 'dev_2', config: { intercept_hosts: [b] } },
      { layer: 'user_group', scope: 'dev_1', config: { capture_enabled: false } },
    ],
    effective: { capture_enabled: true, intercept_hosts: [a] },
    sources: { capture_enabled: 'global', intercept_hosts: 'global' },
  },
  {
    name: 'a layer without scope does not meet a target without that value',
    layers: [{ layer: 'user_group', scope: null, config: { blocked_hosts: ['x.example'] } }],
    target: { device: 'dev_1', user_group: null },
    effective: {},
    sources: {},
  },
  {
    name: 'a specific layer switches capture off',
    layers: [
      { layer: 'global', scope: null, config: { capture_enabled: true, intercept_hosts: [a] } },
      { layer: 'device', scope: 'dev_1', config: { capture_enabled: false } },
    ],
    effective: { capture_enabled: false, intercept_hosts: [a] },
    sources: { capture_enabled: 'device', intercept_hosts: 'global' },
  },
  {
    name: 'an empty list counts as set, and capture is off without hosts',
    layers: [
      { layer: 'global', scope: null, config: { capture_enabled: true, intercept_hosts: [a] } },
      { layer: 'agent', scope: 'claude-code', config: { intercept_hosts: [] } },
    ],
    effective: { capture_enabled: false, intercept_hosts: [] },
    sources: { capture_enabled: 'global', intercept_hosts: 'agent' },
  },
  {
    name: 'a stored host that is none of the catalog takes no effect',
    layers: [
      {
        layer: 'global',
        scope: null,
        config: { capture_enabled: true, intercept_hosts: ['mail.google.com', 'x.example'] },
      },
    ],
    effective: { capture_enabled: false, intercept_hosts: [] },
    sources: { capture_enabled: 'global', intercept_hosts: 'global' },
  },
  {
    name: 'overrides change single hosts of the list before them, profile included',
    layers: [
      { layer: 'global', scope: null, config: { host_overrides: { [b]: true } } },
      { layer: 'device', scope: 'dev_1', config: { host_overrides: { [a]: false, [c]: true } } },
    ],
    profile: [a],
    effective: { capture_enabled: true, intercept_hosts: [b, c] },
    sources: { capture_enabled: 'profile', intercept_hosts: 'device' },
  },
  {
    name: 'a list replaces overrides of broader layers, and its own overrides change it',
    layers: [
      { layer: 'global', scope: null, config: { host_overrides: { [b]: true } } },
      {
        layer: 'user_group',
        scope: 'finance',
        config: { intercept_hosts: [a, c], host_overrides: { [c]: false } },
      },
    ],
    profile: [c],
    effective: { capture_enabled: true, intercept_hosts: [a] },
    sources: { capture_enabled: 'profile', intercept_hosts: 'user_group' },
  },
  {
    name: 'a layer lets people pause capture',
    layers: [
      { layer: 'global', scope: null, config: { pause_minutes: 30 } },
      { layer: 'user_group', scope: 'finance', config: { pause_minutes: 15 } },
    ],
    effective: { pause_minutes: 15 },
    sources: { pause_minutes: 'user_group' },
  },
  {
    name: 'enforced capture cannot be paused',
    layers: [
      { layer: 'global', scope: null, config: { pause_minutes: 30 } },
      { layer: 'device', scope: 'dev_1', config: { enforce_policies: true } },
    ],
    effective: { enforce_policies: true, pause_minutes: 0 },
    sources: { enforce_policies: 'device', pause_minutes: 'global' },
  },
];

describe('resolveGuard', () => {
  test.each(cases)('$name', ({ layers, target: at = target, profile = [], effective, sources }) => {
    expect(resolveGuard(layers, at, profile)).toMatchObject({
      effective: { ...off, ...effective },
      sources: { ...fromDefault, ...sources },
    });
  });

  test('names the layer that switches each host on, not the most specific that changes one', () => {
    const layers: GuardLayer[] = [
      { layer: 'global', scope: null, config: { capture_enabled: true, intercept_hosts: [a, b] } },
      { layer: 'user_group', scope: 'finance', config: { host_overrides: { [b]: false } } },
      { layer: 'device', scope: 'dev_1', config: { host_overrides: { [c]: true } } },
    ];
    expect(resolveGuard(layers, target, [])).toMatchObject({
      sources: { intercept_hosts: 'device' },
      hostSources: { [a]: 'global', [c]: 'device' },
    });
    expect(resolveGuard(layers.slice(1), target, [a, b]).hostSources).toEqual({
      [a]: 'profile',
      [c]: 'device',
    });
  });

  const names = fc.array(fc.constantFrom<string>(a, b, c, 'x.example', 'mail.google.com'));
  const layer: fc.Arbitrary<GuardLayer> = fc.record({
    layer: fc.constantFrom(...guardLevels),
    scope: fc.constantFrom(null, 'dev_1', 'finance', 'claude-code', 'editor_extension', 'other'),
    config: fc.record(
      {
        capture_enabled: fc.boolean(),
        intercept_hosts: names,
        host_overrides: fc.dictionary(
          fc.constantFrom<string>(a, b, c, 'x.example', 'mail.google.com'),
          fc.boolean(),
        ),
        intercept_processes: names,
        blocked_hosts: names,
        blocked_processes: names,
        enforce_policies: fc.boolean(),
        pause_minutes: fc.nat({ max: 480 }),
      },
      { requiredKeys: [] },
    ),
  });
  /** At most one layer for each level and scope, as in the database. */
  const layers = fc.uniqueArray(layer, {
    selector: (it) => `${it.layer} ${it.layer === 'global' ? '' : it.scope}`,
  });
  const anyTarget: fc.Arbitrary<GuardTarget> = fc.record(
    {
      app_type: fc.constantFrom(null, 'editor_extension'),
      user_group: fc.constantFrom(null, 'finance'),
      device: fc.constantFrom(null, 'dev_1'),
      agent: fc.constantFrom(null, 'claude-code'),
    },
    { requiredKeys: [] },
  );

  test('contains only catalog hosts, and enables capture only if there are any', () => {
    fc.assert(
      fc.property(layers, anyTarget, names, (layers, target, profile) => {
        const { effective } = resolveGuard(layers, target, profile);
        expect(guardFields.parse(effective)).toEqual(effective);
        expect(effective.intercept_hosts.every((host) => findCatalogHost(host))).toBe(true);
        expect(effective.capture_enabled && effective.intercept_hosts.length === 0).toBe(false);
      }),
    );
  });

  /**
   * Checks the levels one by one, the most specific first, and returns the first layer that sets
   * the field.
   */
  function naively(all: readonly GuardLayer[], target: GuardTarget, field: GuardField) {
    const scopes = [
      ['agent', target.agent],
      ['device', target.device],
      ['user_group', target.user_group],
      ['app_type', target.app_type],
    ] as const;
    const says = ({ config }: GuardLayer): boolean =>
      field in config ||
      (field === 'intercept_hosts' && Object.keys(config.host_overrides ?? {}).length > 0);
    for (const [level, scope] of scopes)
      for (const one of all)
        if (scope && one.layer === level && one.scope === scope && says(one)) return one;
    return all.find((one) => one.layer === 'global' && says(one)) ?? null;
  }

  test('each effective host has a source, which is a layer that mentions it', () => {
    fc.assert(
      fc.property(layers, anyTarget, names, (layers, target, profile) => {
        const { effective, hostSources } = resolveGuard(layers, target, profile);
        expect(Object.keys(hostSources).sort()).toEqual(
          [...new Set(effective.intercept_hosts)].sort(),
        );
        for (const [host, source] of Object.entries(hostSources)) {
          const mentions = layers.some(
            ({ layer, config }) =>
              layer === source &&
              (config.intercept_hosts?.includes(host) || config.host_overrides?.[host] === true),
          );
          expect(source === 'profile' ? profile.includes(host) : mentions).toBe(true);
        }
      }),
    );
  });

  test('specific layers that do not mention a host do not affect it', () => {
    fc.assert(
      fc.property(
        layers,
        anyTarget,
        names,
        fc.constantFrom(a, b, c),
        (all, target, profile, host) => {
          const open = all.filter(
            ({ layer, config }) =>
              layer === 'global' ||
              (config.intercept_hosts === undefined && config.host_overrides?.[host] === undefined),
          );
          const has = (of: readonly GuardLayer[]) =>
            resolveGuard(of, target, profile).effective.intercept_hosts.includes(host);
          expect(has(open)).toBe(has(open.filter(({ layer }) => layer === 'global')));
        },
      ),
    );
  });

  test('takes each field from the most specific layer that sets it', () => {
    fc.assert(
      fc.property(layers, anyTarget, names, (layers, target, profile) => {
        const { effective, sources, winners } = resolveGuard(layers, target, profile);
        for (const field of guardFieldNames) {
          const winner = naively(layers, target, field);
          const ofProfile = ['capture_enabled', 'intercept_hosts'].includes(field);
          const below = ofProfile && profile.length > 0 ? 'profile' : 'default';
          expect(winners[field]).toBe(winner);
          expect(sources[field]).toBe(winner?.layer ?? below);
        }
        for (const field of ['intercept_processes', 'blocked_hosts', 'blocked_processes'] as const)
          expect(effective[field]).toEqual(winners[field]?.config[field] ?? []);
        const { enforce_policies: enforced } = winners;
        expect(effective.enforce_policies).toBe(enforced?.config.enforce_policies ?? false);
        const minutes = winners.pause_minutes?.config.pause_minutes ?? 0;
        expect(effective.pause_minutes).toBe(effective.enforce_policies ? 0 : minutes);
      }),
    );
  });

  test('does not depend on the order of the layers', () => {
    fc.assert(
      fc.property(
        layers.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        anyTarget,
        names,
        ([all, shuffled], target, profile) => {
          expect(resolveGuard(shuffled, target, profile)).toEqual(
            resolveGuard(all, target, profile),
          );
        },
      ),
    );
  });
});
