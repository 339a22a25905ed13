/** An option of a program whose value is a secret. In other programs, it means something else. */
export interface CommandSecret {
  type: 'PASSWORD' | 'AUTHORIZATION';
  /** The source of a pattern for the program's name, and for its subcommand if it has one. */
  program: string;
  /** The source of a pattern for the option, up to the value or its quote. */
  option: string;
  /** The source of a pattern for a part of the value that is kept, such as the user's name. */
  kept: string;
  source: string;
  /** The secret is in brackets. */
  example: string;
  counterExample: string;
}

const blanks = String.raw`[ \t]{1,3}`;
const maybeBlanks = String.raw`[ \t]{0,3}`;
const word = String.raw`[^\s"']{1,200}`;
/** The name of a user before its password. */
const user = String.raw`[^\s:"'\\]{1,64}:`;

const passwordOf = (
  program: string,
  option: string,
  [source, example, counterExample]: readonly [string, string, string],
  kept = '',
): CommandSecret => ({
  type: 'PASSWORD',
  program,
  option,
  kept,
  source,
  example,
  counterExample,
});

/** Programs that sign in to a registry or a cloud, in which other subcommands have other options. */
const signIn = String.raw`(?:az(?: acr)?|buildah|cf|crane auth|docker|helm registry|ibmcloud|nerdctl|oc|oras|podman|skopeo) login`;

/** The options of `htpasswd` that take the password from the command, after the name of a file. */
const batch = (print: '=' | '!'): string =>
  String.raw`-(?${print}[A-Za-z]{0,8}n)[A-Za-z]{0,8}b[A-Za-z]{0,8}${blanks}(?:-[A-Za-z]${blanks}(?:\d{1,2}${blanks})?){0,2}(?!-|\d{1,2}\s)`;

export const commandSecrets: readonly CommandSecret[] = [
  passwordOf(
    String.raw`curl(?:\.exe)?`,
    `(?:-[A-Za-z]{0,6}[uU]${maybeBlanks}|--(?:proxy-)?user(?:=|${blanks}))`,
    [
      'curl.se/docs/manpage.html#-u',
      'curl -u bob:[Tr0ub4dor&3xkcd!] https://example.com',
      'curl -u user:password https://example.com',
    ],
    user,
  ),
  {
    type: 'AUTHORIZATION',
    program: String.raw`curl(?:\.exe)?`,
    option: `(?:-b${maybeBlanks}|--cookie(?:=|${blanks}))`,
    kept: '',
    source: 'curl.se/docs/manpage.html#-b',
    example: "curl -s -b '[theme=dark; sid=7f3k2m9x8q1w5e4r]' https://example.com",
    counterExample: 'curl -b cookies.txt https://example.com',
  },
  passwordOf(
    'xh|https?',
    `(?:-a|--auth)(?:=|${blanks})`,
    [
      'httpie.io/docs/cli/basic-auth',
      'http -a bob:[Tr0ub4dor3] example.com/api',
      'http -a bob:$PASSWORD example.com/api',
    ],
    user,
  ),
  // Its own options precede the command, in which `-p` is a port.
  passwordOf('sshpass', String.raw`-p(?<=^sshpass\s{1,3}(?:-v\s)?-p)${maybeBlanks}`, [
    'man7.org sshpass(1)',
    'sshpass -p [hunter2xyz] ssh app@db.internal',
    'sshpass -f /run/secrets/db ssh -p 2222 app@db.internal',
  ]),
  passwordOf(String.raw`(?:plink|pscp|psftp|putty)(?:\.exe)?`, `-pw${blanks}`, [
    'the.earth.li/~sgtatham/putty/0.83/htmldoc/Chapter3.html#using-cmdline-pw',
    'plink -ssh app@db.internal -pw [hunter2xyz] uptime',
    'plink -P 2222 app@db.internal uptime',
  ]),
  passwordOf(String.raw`mysql(?:admin|check|dump|import|pump|sh|show)?(?:\.exe)?`, '-p', [
    'dev.mysql.com/doc/refman/8.4/en/command-line-options.html',
    'mysql -u root -p[S3cretPw99] app',
    'mysql -u root -p app',
  ]),
  passwordOf(String.raw`mariadb(?:-(?:admin|check|dump|import|show))?(?:\.exe)?`, '-p', [
    'mariadb.com/kb/en/mariadb-command-line-client',
    "mariadb-dump -uroot -p'[S3cret Pw99]' app",
    'mariadb -P 3306 -u root -p',
  ]),
  passwordOf(String.raw`mongo(?:sh|dump|restore|export|import|stat|top|files)?`, `-p${blanks}`, [
    'mongodb.com/docs/mongodb-shell/reference/options',
    'mongosh --host db -u admin -p [S3cretPw99]',
    'mongosh -u admin -p --host db',
  ]),
  passwordOf('redis-cli|valkey-cli', `-a${blanks}`, [
    'redis.io/docs/latest/develop/tools/cli',
    'redis-cli -h cache -a [S3cretPw99] ping',
    'redis-cli -h cache ping',
  ]),
  passwordOf('cqlsh', `-p${blanks}`, [
    'cassandra.apache.org/doc/latest/cassandra/managing/tools/cqlsh.html',
    'cqlsh db.internal -u app -p [S3cretPw99]',
    'cqlsh db.internal -u app',
  ]),
  passwordOf(String.raw`(?:sqlcmd|osql|bcp|isql|tsql)(?:\.exe)?`, `-P${maybeBlanks}`, [
    'learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility',
    'sqlcmd -S db -U sa -P "[S3cretPw99]" -Q "select 1"',
    'sqlcmd -S db -E -p 1',
  ]),
  passwordOf(signIn, `-p${blanks}`, [
    'docs.docker.com/reference/cli/docker/login, learn.microsoft.com/cli/azure/reference-index#az-login',
    'docker login -u app -p [S3cretPw99] registry.example.com',
    'docker run -p 8080:8080 app',
  ]),
  passwordOf('zip|unzip', `-P${blanks}`, [
    'manpages.debian.org zip(1)',
    'zip -r -P [S3cretPw99] a.zip folder',
    'zip -r -e a.zip folder',
  ]),
  passwordOf('7z[arz]?|p7zip|rar|unrar', '-h?p', [
    '7-zip.org/7z.html -p, man.archlinux.org rar(1) -hp',
    '7z a -p[S3cretPw99] -mhe a.7z folder',
    '7z x -p a.7z',
  ]),
  passwordOf('htpasswd', `${batch('!')}${word}${blanks}${word}${blanks}`, [
    'httpd.apache.org/docs/2.4/programs/htpasswd.html',
    'htpasswd -bc /etc/nginx/.htpasswd admin [S3cretPw99]',
    'htpasswd -c /etc/nginx/.htpasswd admin',
  ]),
  passwordOf('htpasswd', `${batch('=')}${word}${blanks}`, [
    'httpd.apache.org/docs/2.4/programs/htpasswd.html',
    'htpasswd -nbB -C 12 admin [S3cretPw99]',
    'htpasswd -nB admin',
  ]),
  passwordOf('ldap(?:search|add|modify|delete|compare|modrdn|whoami|passwd|exop)', `-w${blanks}`, [
    'openldap.org/software/man.cgi?query=ldapsearch',
    'ldapsearch -x -D cn=admin,dc=example -w [S3cretPw99] -b dc=example',
    'ldapsearch -x -W -D cn=admin,dc=example',
  ]),
  passwordOf(
    'smbclient|smbget|rpcclient|net (?:rpc|ads)',
    `(?:-U|--user)(?:=|${maybeBlanks})`,
    [
      'samba.org/samba/docs/current/man-html/smbclient.1.html',
      'smbclient //files/share -U app%[S3cretPw99] -c ls',
      'smbclient //files/share -U app -c ls',
    ],
    String.raw`[^\s%"']{1,64}%`,
  ),
  passwordOf(
    'lftp',
    `-u${blanks}`,
    ['lftp.yar.ru/lftp-man.html', 'lftp -u app,[S3cretPw99] sftp://files', 'lftp -u app sftp://f'],
    String.raw`[^\s,"']{1,64},`,
  ),
  passwordOf('snmp(?:get|getnext|set|walk|bulkget|bulkwalk|trap)', `-[AX]${blanks}`, [
    'net-snmp.org/docs/man/snmpcmd.html',
    'snmpwalk -v3 -u app -a SHA -A [S3cretPw99] switch',
    'snmpwalk -v2c switch',
  ]),
  passwordOf('snmp(?:get|getnext|set|walk|table|bulkget|bulkwalk|trap)', `-c${blanks}`, [
    'net-snmp.org/docs/man/snmpcmd.html',
    'snmpwalk -v2c -c [S3cretPw99] switch',
    'snmpwalk -v3 -u app switch',
  ]),
  passwordOf('ldappasswd', `-[as]${blanks}`, [
    'openldap.org/software/man.cgi?query=ldappasswd',
    'ldappasswd -x -s [S3cretPw99] uid=ann,dc=example',
    'ldappasswd -x -S uid=ann,dc=example',
  ]),
  passwordOf(String.raw`mysqladmin(?:\.exe)?`, `password${blanks}`, [
    'dev.mysql.com/doc/refman/8.4/en/mysqladmin.html',
    'mysqladmin -u root -p password [S3cretPw99]',
    'mysqladmin -u root -p ping',
  ]),
  passwordOf('ipmitool', `-P${blanks}`, [
    'manpages.debian.org ipmitool(1)',
    'ipmitool -I lanplus -H bmc -U admin -P [S3cretPw99] power status',
    'ipmitool -I lanplus -H bmc -U admin power status',
  ]),
  passwordOf(String.raw`openssl (?:enc|[a-z]{2,8}-?\d{0,3}-[a-z0-9-]{2,10})`, `-k${blanks}`, [
    'docs.openssl.org/3.5/man1/openssl-enc',
    'openssl enc -aes-256-cbc -k [S3cretPw99] -in a -out b',
    'openssl s_client -connect example.com:443 -k x1',
  ]),
  passwordOf(
    String.raw`net1?(?:\.exe)? use`,
    String.raw`(?:${word}${blanks}){0,2}\\{2,4}[^\s"']{1,200}${blanks}(?:\/user:${word}${blanks})?(?![/*])`,
    [
      'learn.microsoft.com/windows-server/administration/windows-commands/net-use',
      String.raw`net use Z: \\files\share /user:corp\app [S3cretPw99]`,
      String.raw`net use Z: \\files\share /persistent:yes`,
    ],
  ),
  passwordOf(String.raw`psexec(?:64)?(?:\.exe)?`, `-p${blanks}`, [
    'learn.microsoft.com/sysinternals/downloads/psexec',
    String.raw`psexec \\srv1 -u corp\app -p [S3cretPw99] cmd`,
    String.raw`psexec \\srv1 -s -d cmd`,
  ]),
  passwordOf('mosquitto_(?:pub|sub|rr)', `-P${blanks}`, [
    'mosquitto.org/man/mosquitto_pub-1.html',
    'mosquitto_pub -h mq -u app -P [S3cretPw99] -t a -m b',
    'mosquitto_pub -h mq -p 1883 -t a -m b',
  ]),
  passwordOf('ssh-keygen', `-[NP]${blanks}`, [
    'man.openbsd.org/ssh-keygen',
    "ssh-keygen -t ed25519 -f key -N '[S3cret Pw99]'",
    "ssh-keygen -t ed25519 -f key -N ''",
  ]),
  passwordOf('check_(?:mysql|pgsql|http|snmp|ldap)', `-p${blanks}`, [
    'monitoring-plugins.org/doc/man',
    "check_mysql -H db -u nagios -p '[S3cretPw99]'",
    'check_mysql -H db -P 3306',
  ]),
  passwordOf('net1? user', String.raw`(?<=^net1? user\s{1,3})[^\s"'/]{1,64}${blanks}(?![/*])`, [
    'learn.microsoft.com/previous-versions/windows/it-pro/windows-server-2012-r2-and-2012/cc771865(v=ws.11)',
    'net user app [S3cretPw99] /add',
    'net user app /add',
  ]),
];
