import { expect, test } from 'vitest';
import { createIds } from './ids.ts';
import { deviceUrlOf, hasTenantHostNames, hostOf, tenantOfHost } from './device-address.ts';

const WILD = 'https://*.devices.example.com:8443';

test('gives each tenant a host name, and resolves the tenant from it', () => {
  const id = createIds()('st', Date.now());
  const url = deviceUrlOf(WILD, id);
  expect(url).toMatch(/^https:\/\/st-[0-9a-z]{26}\.devices\.example\.com:8443$/);
  expect(tenantOfHost(WILD, hostOf(url).toUpperCase())).toBe(id);
});

test.each([
  ['another domain', WILD, 'st-1.devices.example.org'],
  ['the domain itself', WILD, 'devices.example.com'],
  ['no host name of ours', WILD, ''],
  ['one address for all', 'https://devices.example.com', 'st-1.devices.example.com'],
])('resolves no tenant from %s', (_, url, host) => {
  expect(tenantOfHost(url, host)).toBeNull();
});

test('leaves a URL without a tenant placeholder unchanged', () => {
  expect(deviceUrlOf('https://localhost:8443', 'st_1')).toBe('https://localhost:8443');
  expect(hostOf('https://[::1]:8443')).toBe('::1');
});

test.each([
  [WILD, true],
  ['https://devices.example.com', false],
])('%s has a name for each tenant: %s', (url, expected) => {
  expect(hasTenantHostNames(url)).toBe(expected);
});
