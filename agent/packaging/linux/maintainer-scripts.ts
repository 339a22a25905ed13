import { basename } from 'node:path';
import type { LinuxNames } from './names.ts';

/**
 * What dpkg runs as root (deb-postinst(5) and its siblings). All of them ask nothing, can be run any
 * number of times, and do without systemd where it does not run, as in an image that is being built.
 */
export function maintainerScripts(names: LinuxNames): Record<string, string> {
  const service = basename(names.unit);
  const systemd = `systemd_runs() { [ -d /run/systemd/system ]; }`;
  return {
    postinst: `${begin}
${systemd}
[ "$1" = configure ] || exit 0
command -v systemctl >/dev/null || exit 0
# One that an administrator has masked stays so.
systemctl enable --quiet ${service} || true
if systemd_runs; then
    systemctl daemon-reload
    systemctl restart ${service} || true
fi
`,
    prerm: `${begin}
${systemd}
# An upgrade leaves it running: the new version's postinst starts it anew.
[ "$1" = remove ] || exit 0
if systemd_runs; then
    systemctl stop ${service} || true
fi
if command -v systemctl >/dev/null; then
    systemctl disable --quiet ${service} || true
fi
# The table of nftables goes with the process that owns it; trust does not.
${names.command} remove-trust || true
`,
    postrm: `${begin}
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

const begin = `#!/bin/sh
set -e`;
