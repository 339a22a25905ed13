import { withoutCapture } from '#agent/core/narrow-config.ts';
import type { CertificateRefusal } from '#contract/captures.ts';
import type { DeviceConfig } from '#contract/device.ts';
import type { OwnRules } from '#contract/settings.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { ControlPlaneLink } from '../control-plane-link.ts';
import type { Device } from '../device.ts';
import { hasIdentity } from '../enrolling.ts';
import type { OnResolved } from '../flows/source/source.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../problems.ts';
import { readTrustedRoots } from '../trusted-roots.ts';
import { refusalsToReport } from './certificate-refusals.ts';
import { startCaptureDoors } from './capture-doors.ts';
import { createCaptureTaps } from './capture-taps.ts';
import { startCaptureUpload } from './capture-upload.ts';
import type { Door } from './doors/door.ts';
import { type CallChecks, createCallChecks } from './enforcement/call-checks.ts';
import { createInterceptor } from './interceptor.ts';
import { createLeafCertificates, type LeafCertificates } from './leaf-certificates.ts';
import { createNotices } from './notices.ts';
import type { Pauses } from './pauses.ts';
import { noOwnRules } from './redactor.ts';
import type { SentExchanges } from './sent-exchanges.ts';
import { upstreamContext } from './upstream.ts';

export interface CaptureOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  pauses: Pick<Pauses, 'until' | 'changed'>;
  /** Called with the number of exchanges that were uploaded. */
  onUploaded: (captures: number) => void;
}

/** Captures exchanges with the hosts that an administrator enabled. */
export interface Capture {
  /** Reports that wait in the spool. */
  queued: () => number;
  /** Programs that currently reject this device's certificates. */
  refusals: () => CertificateRefusal[];
  /** The last exchanges that the control plane accepted, as they were uploaded. */
  sent: SentExchanges;
  /** Records a DNS answer that a program on this machine received. */
  learn: OnResolved;
  /** The names of the doors that are open. */
  doors: () => Door['name'][];
  stop: () => Promise<void>;
}

const off = (config: DeviceConfig | null): DeviceConfig => ({
  ...config,
  version: config?.version ?? 0,
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
});

/**
 * Opens the doors of this machine while any host is captured or blocked, and uploads captured
 * exchanges, redacted.
 */
export function startCapture(given: CaptureOptions): Capture {
  const { device, link, log, problems, pauses } = given;
  const notices = createNotices((lines) => problems.set('capture', lines));
  const config = (): DeviceConfig => configToCapture(device, link, pauses);
  const own = (): OwnRules => config().masking ?? noOwnRules;
  const onNotice = (line: string): void => {
    log.info(`capture: ${line}`);
    notices.add(line);
  };

  const upload = startCaptureUpload({ ...given, notices });
  const taps = createCaptureTaps({ own, onReport: upload.add, onNotice: notices.add });
  const checks = createChecks(given, own, onNotice);
  const interceptor = createInterceptor({
    config,
    leaves: leavesOf(device),
    upstreamContext: once(() => upstreamContext(systemRoots())),
    tap: taps.open,
    checks,
    onNotice,
  });
  const doors = startCaptureDoors({ ...given, config, interceptor });

  link.applied.subscribe(() => {
    notices.clear();
    problems.set('policy check');
    const { capture_enabled, enforce_policies } = config();
    if (capture_enabled && enforce_policies) checks.warm();
    interceptor.check();
    doors.update();
  });
  pauses.changed.subscribe(() => {
    interceptor.check();
    doors.update();
  });
  link.resumed.subscribe(doors.update);

  return {
    queued: upload.queued,
    sent: upload.sent,
    refusals: () => refusalsToReport(interceptor.refusals()),
    doors: doors.names,
    learn: doors.learn,
    stop: async () => {
      await doors.stop();
      await interceptor.close();
      await checks.close();
      await taps.close();
      await upload.stop();
    },
  };
}

/** The applied configuration, without capture while it is paused. */
function configToCapture(
  { credentials }: Device,
  link: ControlPlaneLink,
  pauses: CaptureOptions['pauses'],
): DeviceConfig {
  const inForce = link.configuration.inForce();
  // A revoked device captures nothing.
  if (!inForce || !hasIdentity(credentials)) return off(inForce);
  return pauses.until() === null ? inForce : withoutCapture(inForce);
}

/** Asks the control plane whether a call may be made. */
const createChecks = (
  { options, link }: CaptureOptions,
  own: () => OwnRules,
  onNotice: (line: string) => void,
): CallChecks =>
  createCallChecks({
    own,
    ask: async (check, signal) => {
      const asked = await link.connection.ask('policy check', signal, (to) =>
        to.checkCall({ body: check }, { signal }),
      );
      return 'answer' in asked ? asked.answer : null;
    },
    onNotice,
    withinMs: options.policyCheckSeconds * 1000,
  });

/** Issues certificates from the device's current authority. */
function leavesOf({ credentials }: Device): () => LeafCertificates | null {
  let current: { fingerprint: string; leaves: LeafCertificates } | null = null;
  return () => {
    const authority = credentials.get('intermediate');
    if (!authority || authority.notAfter <= Date.now()) return (current = null);
    const fingerprint = authority.fingerprint256;
    if (current?.fingerprint !== fingerprint)
      current = { fingerprint, leaves: createLeafCertificates(authority) };
    return current.leaves;
  };
}

/** Roots that a browser on this machine trusts; never roots that only the control plane uses. */
function systemRoots(): readonly string[] {
  const read = readTrustedRoots(null);
  return 'roots' in read ? read.roots : [];
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
