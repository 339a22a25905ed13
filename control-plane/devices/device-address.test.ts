import { expect, it } from 'vitest';
import { newId } from '../lib/ids.ts';
import { deviceUrlOf, hasNameForEach, hostOf, tenantOfHost } from './device-address.ts';

const wild = 'https://*.devices.example.com:8443';

it('gives each tenant a host name, and resolves the tenant from it', () => {
  const id = newId('st', Date.now());
  const url = deviceUrlOf(wild, id);
  expect(url).toMatch(/^https:\/\/st-[0-9a-z]{26}\.devices\.example\.com:8443$/);
  expect(tenantOfHost(wild, hostOf(url).toUpperCase())).toBe(id);
});

it.each([
  ['another domain', wild, 'st-1.devices.example.org'],
  ['the domain itself', wild, 'devices.example.com'],
  ['no host name of ours', wild, ''],
  ['one address for all', 'https://devices.example.com', 'st-1.devices.example.com'],
])('resolves no tenant from %s', (_, url, host) => {
  expect(tenantOfHost(url, host)).toBeNull();
});

it('leaves a URL without a tenant placeholder unchanged', () => {
  expect(deviceUrlOf('https://localhost:8443', 'st_1')).toBe('https://localhost:8443');
  expect(hostOf('https://[::1]:8443')).toBe('::1');
});

it.each([
  [wild, true],
  ['https://devices.example.com', false],
])('%s has a name for each tenant: %s', (url, expected) => {
  expect(hasNameForEach(url)).toBe(expected);
});
