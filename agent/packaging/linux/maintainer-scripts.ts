import { basename } from 'node:path';
import type { LinuxNames } from './names.ts';

/**
 * Scripts that dpkg runs as root (deb-postinst(5) and its siblings). They are not interactive, can run
 * any number of times, and work without systemd, as in an image that is being built.
 */
export function maintainerScripts(names: LinuxNames): Record<string, string> {
  const service = basename(names.unit);
  const systemd = `systemd_runs() { [ -d /run/systemd/system ]; }`;
  return {
    postinst: `${BEGIN}
${systemd}
case "$1" in
# abort-remove: prerm has refused, so the service goes on.
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
# An upgrade leaves it running: the postinst of the new version restarts it.
[ "$1" = remove ] || exit 0
if systemd_runs; then
    systemctl stop ${service} || true
fi
# 2: an agent that systemd did not start still runs, and would trust the roots again.
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
if [ "$1" = purge ]; then
    rm -rf ${names.state} ${names.settings}
fi
`,
  };
}

const BEGIN = `#!/bin/sh
set -e`;
