import { basename } from 'node:path';
import { configured } from './unit.ts';
import type { LinuxNames } from './names.ts';

/**
 * The scripts that dpkg runs as root (deb-postinst(5), deb-prerm(5), deb-postrm(5)). They are not
 * interactive, can be repeated, and work without systemd, for example while an image is built.
 */
export function maintainerScripts(names: LinuxNames): Record<string, string> {
  const service = basename(names.unit);
  const systemd = `systemd_runs() { [ -d /run/systemd/system ]; }`;
  return {
    postinst: `${BEGIN}
${systemd}
case "$1" in
# abort-remove: prerm has failed, so the service keeps running.
configure | abort-remove) ;;
*) exit 0 ;;
esac
command -v systemctl >/dev/null || exit 0
# A service that an administrator has masked stays masked.
systemctl enable --quiet ${service} || true
if systemd_runs; then
    systemctl daemon-reload
    systemctl restart ${service} || true
fi
`,
    prerm: `${BEGIN}
${systemd}
# During an upgrade the service keeps running: the postinst of the new version restarts it.
[ "$1" = remove ] || exit 0
if systemd_runs; then
    systemctl stop ${service} || true
fi
# Exit code 2: an agent that systemd did not start is still running and would install the roots again.
${names.command} uninstall || [ $? -ne 2 ]
if command -v systemctl >/dev/null; then
    systemctl disable --quiet ${service} || true
fi
`,
    postrm: `${BEGIN}
${systemd}
if systemd_runs; then
    systemctl daemon-reload || true
fi
case "$1" in
remove | purge)
    # systemd has created them for the service; those with a file of others stay.
    for folder in ${configured.map((folder) => `/etc/${folder}`).join(' ')}; do
        [ -L "$folder" ] || rmdir "$folder" 2>/dev/null || true
    done
    ;;
esac
if [ "$1" = purge ]; then
    rm -rf ${names.state} ${names.settings}
fi
`,
  };
}

const BEGIN = `#!/bin/sh
set -e`;
