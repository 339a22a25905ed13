import { join } from 'node:path';
import type { z } from 'zod';
import { exactHosts } from '../flows/catalog.ts';
import { hostsToTake } from '#agent/core/capture/decision.ts';
import { withoutCapture } from '#agent/core/narrow-config.ts';
import { type CaptureReport, captureReport, type CertificateRefusal } from '#contract/captures.ts';
import type { DeviceConfig } from '#contract/device.ts';
import type { OwnRules } from '#contract/settings.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { ControlPlaneLink } from '../control-plane-link.ts';
import type { Device } from '../device.ts';
import { hasIdentity } from '../enrolling.ts';
import type { OnResolved } from '../flows/source/source.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';
import type { Problems } from '../problems.ts';
import { createSignal } from '../signal.ts';
import { openSpool } from '../spool.ts';
import { stateEntries } from '../state-folder.ts';
import { readTrustedRoots } from '../trusted-roots.ts';
import { startUploader } from '../uploader.ts';
import { refusalsToReport } from './certificate-refusals.ts';
import { createCaptureTaps } from './capture-taps.ts';
import { openDoors } from './doors/doors.ts';
import type { Door } from './doors/door.ts';
import { createCallChecks } from './enforcement/call-checks.ts';
import { createInterceptor } from './interceptor.ts';
import { createLeafCertificates, type LeafCertificates } from './leaf-certificates.ts';
import { createNotices } from './notices.ts';
import type { Pauses } from './pauses.ts';
import { noOwnRules } from './redactor.ts';
import { createSentExchanges, type SentExchanges } from './sent-exchanges.ts';
import { upstreamContext } from './upstream.ts';

export interface CaptureOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  pauses: Pick<Pauses, 'until' | 'changed'>;
  /** So many exchanges were uploaded. */
  onUploaded: (captures: number) => void;
}

/** Captured exchanges with the hosts that an administrator switched on. */
export interface Capture {
  /** Reports that wait in the spool. */
  queued: () => number;
  /** Programs that do not accept this device's certificates now. */
  refusals: () => CertificateRefusal[];
  /** The last exchanges that the control plane took, as they were uploaded. */
  sent: SentExchanges;
  /** What a name server answered a program on this machine. */
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
 * Opens the doors of this machine while there is something to capture or to block, and uploads what
 * was captured, redacted.
 */
export function startCapture(given: CaptureOptions): Capture {
  const { options, device, link, log, problems, pauses } = given;
  const { credentials } = device;
  const sealed = createSignal();
  const sent = createSentExchanges();
  const notices = createNotices((lines) => problems.set('capture', lines));

  const config = (): DeviceConfig => {
    const inForce = link.configuration.inForce();
    // A device that was revoked obeys nobody.
    if (!inForce || !hasIdentity(credentials)) return off(inForce);
    return pauses.until() === null ? inForce : withoutCapture(inForce);
  };

  const spool = openSpool<CaptureReport>({
    dir: device.file(stateEntries.captureSpool),
    report: captureReport,
    openMs: options.flowUploadSeconds * 1000,
    mostReports: 50,
    onSealed: sealed.send,
    onDropped: device.state.countDropped,
    onProblem: (line) => problems.set('capture spool', [line]),
  });
  const uploader = startUploader({
    spool,
    connection: link.connection,
    part: 'capture upload',
    send: async (to, { batch_id, reports }, signal) => {
      const captures = reports as z.input<typeof captureReport>[];
      const { refused } = await to.reportCaptures({ body: { batch_id, captures } }, { signal });
      for (const { reason } of refused) notices.add(`an exchange was refused: ${reason}`);
      const ids = new Set(refused.map(({ id }) => id));
      sent.add(captures.filter(({ id }) => !ids.has(id)));
    },
    backoff: options.backoff,
    onUploaded: given.onUploaded,
    onRejected: log.error,
  });
  sealed.subscribe(uploader.wake);
  link.resumed.subscribe(uploader.hurry);

  const own = (): OwnRules => config().masking ?? noOwnRules;
  const taps = createCaptureTaps({
    own,
    onReport: (report) => {
      if (spool.append(report)) problems.set('capture spool');
    },
    onNotice: notices.add,
  });
  const onNotice = (line: string): void => {
    log.info(`capture: ${line}`);
    notices.add(line);
  };
  const checks = createCallChecks({
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
  const interceptor = createInterceptor({
    config,
    leaves: leavesOf(device),
    upstreamContext: once(() => upstreamContext(systemRoots())),
    tap: taps.open,
    checks,
    onNotice,
  });

  let doors: Door[] | null = null;
  const applying = startLoop(async () => {
    const hosts = hostsToTake(config(), exactHosts());
    interceptor.check();
    if (hosts.length > 0) {
      doors ??= await (options.openDoors ?? openDoors)({
        proxyPort: options.proxyPort,
        socketPath: device.file(stateEntries.captureSocket),
        proxyMonitorPath: join(options.extensionFolder, 'proxymonitor.sock'),
        onConnection: interceptor.take,
        onProblem: (door, line) => problems.set(`capture (${door})`, line === null ? [] : [line]),
      });
    }
    await Promise.all((doors ?? []).map((door) => door.setHosts(hosts)));
    return null;
  });
  link.applied.subscribe(() => {
    notices.clear();
    problems.set('policy check');
    const { capture_enabled, enforce_policies } = config();
    if (capture_enabled && enforce_policies) checks.warm();
    interceptor.check();
    applying.wake();
  });
  pauses.changed.subscribe(() => {
    interceptor.check();
    applying.wake();
  });
  link.resumed.subscribe(applying.wake);

  return {
    queued: () => spool.queued(),
    sent,
    refusals: () => refusalsToReport(interceptor.refusals()),
    doors: () => (doors ?? []).map(({ name }) => name),
    learn: (...answer) => doors?.forEach((door) => door.learn?.(...answer)),
    stop: async () => {
      await applying.stop();
      await Promise.all((doors ?? []).map((door) => door.close()));
      await interceptor.close();
      await checks.close();
      await taps.close();
      spool.close();
      await uploader.stop();
    },
  };
}

/** Certificates of the authority that this device has now. */
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

/** What a browser on this machine would trust; never the roots that only the control plane names. */
function systemRoots(): readonly string[] {
  const read = readTrustedRoots(null);
  return 'roots' in read ? read.roots : [];
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
