import { connect } from 'node:net';
import type { AgentReport } from '#agent/core/doctor/agent-report.ts';
import type { CapturedHosts, CaptureFacts } from '#agent/core/doctor/capture.ts';
import type { DoctorSystem } from './system/index.ts';
import { readOutput } from './system/system.ts';

export interface CaptureReading {
  os: string;
  system: DoctorSystem;
  report: AgentReport | null;
  isSilent: boolean;
  storedHosts: CapturedHosts;
  managedProblems: boolean;
  proxyPort: number | null;
}

export async function readCapture(inputs: CaptureReading): Promise<CaptureFacts> {
  const { system, report, proxyPort, ...rest } = inputs;
  const isOurs = report?.doors.includes('explicit') === true && !isBroken(report);
  return {
    ...rest,
    report,
    proxyPort,
    nft: system.nft(),
    missingRights: report && system.missingRights(report.pid, ['CAP_NET_ADMIN', 'CAP_SETGID']),
    // Port 0 means any free port.
    portHolder: proxyPort && !isOurs ? await findPortHolder(proxyPort) : null,
  };
}

const isBroken = ({ problems }: AgentReport): boolean =>
  problems.some((line) => /^capture \(explicit\): (?!more than )/.test(line));

/**
 * Returns the program that listens on this loopback port, as far as it can be found; null if there
 * is none.
 */
async function findPortHolder(port: number): Promise<string | null> {
  if (!(await isPortInUse(port))) return null;
  const list = await readOutput('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const [, pid] = /^p(\d+)$/m.exec(list ?? '') ?? [];
  const [, name] = /^c(.+)$/m.exec(list ?? '') ?? [];
  return pid && name ? `${name} (process ${pid})` : 'another program';
}

function isPortInUse(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(1000, () => socket.destroy(new Error('no answer')));
    socket.on('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}
