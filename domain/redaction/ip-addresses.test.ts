import { expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { ipAddress } from './ip-addresses.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';
import { marked, unmarked } from './testing/marked.ts';

/** The expected findings are in brackets. */
test.each([
  'dial [203.0.113.7]:80 from [10.0.0.8]',
  'the DNS server is [9.9.9.9]',
  'connect to [1.2.3.4]:8443',
  'allow [4.4.4.0]/24',
  'http://[8.8.4.4]/dns-query',
  'ping -c1 [1.1.1.1]',
  'addr [2001:db8::1] or [fd::1:2:3]',
  '[fdab::1] and [FE80::1]',
  'see section 3.2.9.8 of the manual',
  'Section 10.4.2.11 applies',
  '2.0.0.1 release notes',
  'upgrade from 4.1.0.0 to 4.2.0.1.',
  'release 12.4.30.11',
  'Bean::face Cafe::dead Face::fe80 cafe::babe',
  'add::bed',
])('the addresses in %j', (text) => {
  expect(marked(unmarked(text), ipAddress)).toBe(text);
});

test.each([
  ['client_ip', '1.2.3.4', true],
  ['remoteAddr', '1.2.3.4', true],
  ['ipAddress', '4.4.4.4', true],
  ['version', '1.2.3.4', false],
  ['ip', '127.0.0.1', false],
  ['ip', 'none', false],
])('the member %s with %j holds an address: %s', (member, value, expected) => {
  const rules = { detectors: builtinDetectors(['IP_ADDRESS']), keys: memberRules([]) };
  expect(redactJson({ [member]: value }, rules).value[member] !== value).toBe(expected);
});
