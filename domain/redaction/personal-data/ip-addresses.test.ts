import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { ipAddress } from './ip-addresses.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { marked, unmarked } from '../testing/marked.ts';

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
  'f4:c7:f2:03:6d:d9:d7:3e and [1:2:3:4:5:6:7:8]',
  'd="M16.3c0 7.2 4.7 13.3 11.1 15.5.8.1 .4"',
  'd="1 0 11 5.5.75.75 0 0 1 11 4Z"',
  'at 0.25 [10.1.2.3] 200, 115 [192.168.0.68] TCP_MISS',
  '("ResourceBuilder", "17.0.0.0") host "[17.0.0.0]"',
  'updated to 0.8.12.1',
  '- Bump types-requests from 2.28.11.2 to 2.28.11.15.',
  '(see Clauses 8.3.3.4 and 8.3.3.12, respectively)',
  'Update DNS from [10.2.3.14] to [10.2.3.15]',
  'd="m9.56-10.1l-9.55 10.1.24.23 9.55-10.1-.4"',
  "( 2.5.13.28 NAME 'generalizedTimeOrderingMatch' )",
  'it runs in Chrome 120.0.0.0, from [120.0.0.1]',
  '<version.derby>10.17.1.0</version.derby>, com.ibm.jcc:11.5.0.0, RFC 4880, 5.2.3.10, ip:[10.1.2.3]',
  'dovecot/core/blob/2.3.21.1/doc, http://[2.3.21.10]/doc',
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
