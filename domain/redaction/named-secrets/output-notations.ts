import type { ValueNotation } from './notation.ts';

/** Two digits, or a symbol or alternating cases that words do not have. */
const MIXED = String.raw`(?=\S{0,60}?(?:\d\S{0,40}?[A-Z\d]|[A-Z]\S{0,40}?\d|[!@#$%^&]|[a-z][A-Z]\S{0,40}?[a-z][A-Z]))`;
/** A value without brackets, which is the last word of its line. */
const lastWord = (separators: string): string =>
  String.raw`(?=[^\s"'\x60()[\]{}<>${separators}]{6,400}[ \t]{0,40};?[ \t]{0,3}(?:\r?\n|$))${MIXED}`;

/** How commands print and read names and values, one a line. */
export const outputNotations: readonly ValueNotation[] = [
  {
    // Columns of blanks, as printed by Vault, Pulumi, PowerShell and `reg query`.
    next: ' ',
    before: /(?<=(?:^|\n)[ \t]{0,8}(?:[\w.-]{1,40}[:/])?)/y,
    followsFirst: true,
    between: new RegExp(` {2,60}(?:REG_(?:EXPAND_)?SZ {1,8})?${lastWord('|=,')}`, 'y'),
    isCell: true,
    source: 'developer.hashicorp.com/vault/docs/commands/kv/get, pulumi.com/docs/iac/cli/commands',
    example: 'Key            Value\n---            -----\ndb_password    [Cinder662#quartz]\n',
    counterExample: 'Name           Type\n----           ----\ndb_password    varchar2\n',
  },
  {
    // Expanded rows of psql.
    next: ' |',
    before: /(?<=(?:^|\n)[ \t]{0,8})/y,
    followsFirst: true,
    between: new RegExp(String.raw` {0,60}\| ${lastWord('|')}`, 'y'),
    isCell: true,
    source: 'postgresql.org/docs/current/app-psql.html, expanded',
    example: 'id            | 1\npassword      | [Cinder662#quartz]\n',
    counterExample: 'password      | text\n',
  },
  {
    // A directive and its value, after the command that sets it: nginx, csh, Debian's installer, routers.
    next: ' \t',
    before: /(?<=(?:^|\n)[ \t]{0,40}(?:[\w./:+-]{1,60} ){0,4})/y,
    followsFirst: true,
    between: new RegExp(String.raw`[ \t]{1,8}(?:\d |ENC )?${lastWord('=,|:')}`, 'y'),
    isCell: true,
    source:
      'nginx.org/en/docs/dirindex.html, man.archlinux.org/man/ldap.conf.5, Cisco IOS Security Command Reference',
    example: 'proxy_set_header X-Api-Key [FUsSueIJ4KwseY0svpvfsJx7CaQ4PK9V];\n',
    counterExample: 'this is the token endpoint_v2\n',
  },
  {
    next: ' ',
    before: /(?<=(?:^|\n)[ \t]{0,40}(?:[\w./:+-]{1,60} ){1,3})/y,
    followsFirst: true,
    between: / (?=(["'])[^"'\s]{6,400}\1;?[ \t]{0,3}(?:\r?\n|$))(?=\S{0,60}?\d\S{0,40}?\d)/y,
    source: 'nginx.org/en/docs/http/ngx_http_proxy_module.html, caddyserver.com/docs/caddyfile',
    example: 'header_up X-Auth-Token "[eQRvT2kzY4ZRF3reqIpIUe70y8Q2QJ]"\n',
    counterExample: 'header_up X-Auth-Token "{env.TOKEN_12}"\n',
  },
  {
    // Replies of Redis to `CONFIG GET` and `HGETALL`.
    next: '"',
    before: /(?<=\d\) ")/y,
    between: /"\r?\n\s{0,8}\d{1,5}\) (?=")/y,
    isSetting: true,
    source: 'redis.io/docs/latest/commands/hgetall',
    example: '1) "requirepass"\n2) "[OMN4ZcV9bKRJQE0o]"\n',
    counterExample: '1) "requirepass"\n2) ""\n',
  },
  {
    // A pair of an atom and a string in Erlang and Elixir.
    next: ',',
    before: /(?<=\{:?)/y,
    followsFirst: true,
    between: /, (?:<<)?(?=(["'])(?=[^"'\s]{0,60}\d)[^"'\s]{6,200}\1(?:>>)?\})/y,
    source: 'erlang.org/doc/system/data_types.html#tuple',
    example: '{password, "[dYvEjqGUiLyoigF1]"},',
    counterExample: '{password, "required"},',
  },
  {
    // An option and its value in a list of arguments.
    next: '"\'\r\n',
    before: /(?<=(?:^|\n)[ \t]{0,40}- ["']?)(?=--[a-z])/y,
    between: /["']?\r?\n[ \t]{0,40}- (?=["']?[^\s"'$-])/y,
    isSetting: true,
    source: 'kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container',
    example: '- --requirepass\n- [4v66KRTsznejR96mSF]\n',
    counterExample: '- --requirepass\n- $(PASSWORD)\n',
  },
  {
    // Netscape's file of cookies.
    next: '\t',
    before:
      /(?<=(?:^|\n)[\w.-]{1,253}\t(?:TRUE|FALSE)\t[^\t\n]{1,200}\t(?:TRUE|FALSE)\t\d{1,12}\t)/y,
    between: /\t(?=[^\t\n])/y,
    isSetting: true,
    source: 'curl.se/docs/http-cookies.html',
    example:
      '.example.com\tTRUE\t/\tTRUE\t1798711111\tauth_token\t[94c0b2439e0ad948d8b0d5f4152a95aa]\n',
    counterExample: '.example.com\tTRUE\t/\tTRUE\t1798711111\tauth_token\tdeleted\n',
  },
  {
    // Base64 in LDIF.
    next: ':',
    before: /(?<=(?:^|\n)[ \t]{0,8})/y,
    followsFirst: true,
    between: /:: (?=[A-Za-z0-9+/=]{8,400}[ \t]{0,3}(?:\r?\n|$))/y,
    source: 'rfc-editor.org/rfc/rfc2849',
    example: 'userPassword:: [e1NTSEF9cVFybnBST0s4aGs2OUlTTCtrTVZi]\n',
    counterExample: 'password:: String\n',
  },
  {
    // Values of a map of lists in Go, such as the headers of a request.
    next: ':',
    before: /(?=\w)/y,
    followsFirst: true,
    endsAt: ']',
    between: new RegExp(String.raw`:\[(?=[\w+/=.-]{12,400}[\] ])${MIXED}`, 'y'),
    source: 'pkg.go.dev/fmt, %v of a map',
    example: 'map[Accept:[*/*] X-Api-Key:[[[rfe54foIcEZduclQraZv6wbY]]]]',
    counterExample: 'map[X-Api-Key:[] Token:[a b]]',
  },
  {
    // Files of properties in XML, with elements for the name and the value.
    next: '<',
    before: /(?<=<name>)/y,
    between: /<\/name>\s{0,40}<value>/y,
    isSetting: true,
    source: 'hadoop.apache.org/docs/stable/api/org/apache/hadoop/conf/Configuration.html',
    example: '<name>fs.s3a.secret.key</name>\n  <value>[1wRTBoKpxjiKmzqMhjYs8MJW]</value>',
    counterExample: '<name>fs.s3a.secret.key</name>\n  <value></value>',
  },
  {
    // Commands to the runner in the log of a pipeline.
    next: ':;]',
    before: /(?<=\b(?:name|variable)=)/y,
    between: /(?:;[\w=;]{1,40})?\]|::/y,
    isSetting: true,
    source: 'learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands',
    example: '##vso[task.setvariable variable=DB_PASSWORD;issecret=true][[Copper-Juniper-27!]]',
    counterExample: '##vso[task.setvariable variable=DB_PASSWORD;issecret=true]$PASSWORD',
  },
];
