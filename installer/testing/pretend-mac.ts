import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Stand-ins for the macOS programs that the scripts call, limited to the functions in use. Loaded
 * items and receipts are files. Like the real launchctl, the stand-in refuses to load an item
 * twice, and an agent continues to run for a while after `bootout` returns.
 */
const programs = {
  launchctl: `echo "launchctl $*" >> "$PRETEND/log"
item() { echo "$PRETEND/loaded/$(echo "$1" | tr / _)"; }
case $1 in
print)
    [ ! -e "$(item "$2").leaving" ] || { rm "$(item "$2").leaving"; exit 0; }
    [ -e "$(item "$2")" ] ;;
bootout) [ -e "$(item "$2")" ] && mv "$(item "$2")" "$(item "$2").leaving" ;;
getenv) cat "$PRETEND/environment/$2" 2>/dev/null || : ;;
setenv) mkdir -p "$PRETEND/environment"; printf %s "$3" > "$PRETEND/environment/$2" ;;
unsetenv) rm "$PRETEND/environment/$2" ;;
asuser) shift 2; exec "$@" ;;
bootstrap)
    loaded=$(item "$2/$(basename "$3" .plist)")
    [ -e "$3" ] && [ ! -e "$loaded" ] && [ ! -e "$loaded.leaving" ] && touch "$loaded" ;;
enable) ;;
*) exit 64 ;;
esac`,
  stat: `[ "$1" = -f ] || exit 64
case $2,$3 in
%Su,/dev/console) cat "$PRETEND/console" ;;
%u,*/Users/Shared) echo 0 ;;
%u,*/Users/*) [ -e "$3" ] && id -u "$(basename "$3")" ;;
*) exit 64 ;;
esac`,
  id: '[ "$1" = -u ] && case $2 in anna) echo 501 ;; ben) echo 502 ;; root) echo 0 ;; _*) echo 248 ;; *) exit 1 ;; esac',
  sudo: `echo "sudo $*" >> "$PRETEND/log"
case $1,$2 in -u,\\#50[12]) shift 2; exec "$@" ;; *) exit 64 ;; esac`,
  plutil: `[ "$1 $3 $4 $5" = "-extract raw -o -" ] || exit 64
exec python3 -c 'import functools,plistlib,sys
step = lambda at, key: at[int(key)] if isinstance(at, list) else at[key]
print(functools.reduce(step, sys.argv[1].split("."), plistlib.load(open(sys.argv[2], "rb"))))' "$2" "$6"`,
  pkgutil: `echo "pkgutil $*" >> "$PRETEND/log"
[ "$1" = --volume ] && [ -d "$2" ] || exit 64
case $3 in
--pkg-info) [ -e "$PRETEND/receipts/$4" ] ;;
--forget) rm "$PRETEND/receipts/$4" ;;
*) exit 64 ;;
esac`,
  sleep: 'echo "sleep $*" >> "$PRETEND/log"; exec /bin/sleep 0.01',
  // Like the real one, the program rejects an unknown app.
  tccutil: `echo "tccutil $*" >> "$PRETEND/log"
[ "$1 $2" = "reset All" ] && ls "$PRETEND"/*/Applications/*/Contents/Info.plist >/dev/null 2>&1`,
  // Preferences cached in memory are written back to disk later.
  defaults: '[ "$1" = delete ] || exit 64',
  systemextensionsctl: '[ "$1" = list ] && cat "$PRETEND/extensions" 2>/dev/null',
  ps: `for process in /proc/[0-9]*; do
    program=$(readlink "$process/exe") && echo "\${process#/proc/} $program"
done`,
};

export interface PretendMac {
  /** The volume that the package is installed on. */
  volume: string;
  put: (path: string, content: string) => void;
  has: (path: string) => boolean;
  read: (path: string) => string;
  /** Sets the user of the active session, which is `root` at the login window. */
  console: (user: string) => void;
  /** Whether an item such as `gui_501_com.example.agent` is loaded. */
  isLoaded: (item: string) => boolean;
  load: (item: string) => void;
  addReceipt: (id: string) => void;
  /**
   * The output of `systemextensionsctl list`: a file that the stand-in for the app's command
   * modifies.
   */
  extensions: string;
  hasReceipt: (id: string) => boolean;
  /** Runs a script as Installer does. */
  run: (script: string) => {
    code: number | null;
    stdout: string;
    stderr: string;
    calls: string[];
  };
  remove: () => void;
}

export function pretendMac(): PretendMac {
  const folder = mkdtempSync(join(tmpdir(), 'installer-mac-'));
  const volume = join(folder, 'Macintosh HD');
  for (const name of ['bin', 'loaded', 'receipts']) mkdirSync(join(folder, name));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const console = (user: string) => put(join(folder, 'console'), `${user}\n`);
  console('anna');
  return {
    volume,
    put: (path, content) => put(join(volume, path), content),
    has: (path) => existsSync(join(volume, path)),
    read: (path) => readFileSync(join(volume, path), 'utf8'),
    console,
    isLoaded: (item) => existsSync(join(folder, 'loaded', item)),
    load: (item) => put(join(folder, 'loaded', item), ''),
    extensions: join(folder, 'extensions'),
    addReceipt: (id) => put(join(folder, 'receipts', id), ''),
    hasReceipt: (id) => existsSync(join(folder, 'receipts', id)),
    run(script) {
      put(join(folder, 'log'), '');
      put(join(folder, 'script'), script);
      const args = [join(folder, 'script'), '/tmp/x.pkg', '/', volume, '/'];
      execFileSync('sh', ['-n', join(folder, 'script')]);
      const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, PRETEND: folder };
      const { status, stdout, stderr } = spawnSync('sh', args, { env, encoding: 'utf8' });
      const log = readFileSync(join(folder, 'log'), 'utf8').trim();
      return { code: status, stdout, stderr, calls: log === '' ? [] : log.split('\n') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
