import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultAppSettings as app } from '#contract/app-settings.ts';
import { guardLevels } from '#contract/guard.ts';
import { type GuardLayer, guardOrigins, resolveGuard } from '#domain/guard/cascade.ts';
import { groupByValue, pushMessages } from './push-rules.ts';

const hosts = fc.subarray(['claude.ai', 'api.openai.com', 'gemini.google.com']);
const layer: fc.Arbitrary<GuardLayer & { updated_at: number }> = fc.record({
  layer: fc.constantFrom(...guardLevels),
  scope: fc.constantFrom('dev_1', 'dev_2', 'finance', 'sales'),
  config: fc.record(
    { capture_enabled: fc.boolean(), intercept_hosts: hosts, blocked_hosts: hosts },
    { requiredKeys: [] },
  ),
  updated_at: fc.nat(),
});
const target = fc.record({
  deviceId: fc.constantFrom('dev_1', 'dev_2', 'dev_3'),
  user_group: fc.constantFrom(null, 'finance', 'sales'),
  profile_hosts: fc.oneof(
    fc.constant(null),
    hosts.map((list) => JSON.stringify(list)),
  ),
});

const masking = { keys: [{ key: 'ssn', type: 'SSN' }], patterns: [{ name: 'X', pattern: 'x+' }] };

describe('pushMessages', () => {
  test('each device gets the same result as from its own cascade, in any order', () => {
    fc.assert(
      fc.property(fc.array(layer), fc.array(target), (layers, targets) => {
        const messageOf = pushMessages({ version: 7, layers, masking, app });
        for (const target of targets) {
          const { deviceId: device, user_group } = target;
          const profile = JSON.parse(target.profile_hosts ?? '[]') as string[];
          const resolved = resolveGuard(layers, { device, user_group }, profile);
          const origins = guardOrigins(resolved);
          const { hostSources: host_sources } = resolved;
          expect(JSON.parse(messageOf(target))).toEqual({
            type: 'config',
            config: { version: 7, ...resolved.effective, origins, host_sources, masking, app },
          });
        }
      }),
    );
  });

  test('devices with equal inputs are resolved once', () => {
    let resolved = 0;
    const counting = {
      layer: 'global' as const,
      scope: null,
      updated_at: 1,
      get config() {
        resolved += 1;
        return { capture_enabled: false };
      },
    };
    const messageOf = pushMessages({ version: 1, layers: [counting], masking, app });
    const resolve = (count: number) => {
      for (let i = 0; i < count; i += 1)
        messageOf({ deviceId: `dev_${i}`, user_group: null, profile_hosts: null });
      return resolved;
    };
    expect(resolve(2000)).toBe(resolve(1));
  });
});

describe('groupByValue', () => {
  test('grouping loses no device and keeps distinct values apart', () => {
    const status = fc.record({
      applied_version: fc.nat({ max: 3 }),
      disconnected_at: fc.constantFrom(null, 1, 2),
    });
    const devices = fc.uniqueArray(fc.tuple(fc.string(), status), { selector: ([id]) => id });
    fc.assert(
      fc.property(devices, (devices) => {
        const groups = groupByValue(devices);
        const ungrouped = groups.flatMap(({ key, ids }) => ids.map((id) => [id, key] as const));
        expect(new Map(ungrouped)).toEqual(new Map(devices));
        expect(ungrouped).toHaveLength(devices.length);
        expect(new Set(groups.map(({ key }) => JSON.stringify(key))).size).toBe(groups.length);
      }),
    );
  });
});
