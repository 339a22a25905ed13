import { withoutCapture } from '#agent/core/narrow-config.ts';
import type { CertificateRefusal } from '#contract/captures.ts';
import type { DeviceConfig } from '#contract/device-protocol.ts';
import type { OwnRules } from '#contract/settings.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { hasIdentity } from '../identity/enrollment-loop.ts';
import type { OnResolved } from '../flows/source/flow-source.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { createSignal, type Signal } from '../signal.ts';
import { readTrustedRoots } from '../identity/trusted-roots.ts';
import { createNotices, logHourly, refusalsToReport } from './notices.ts';
import { startCaptureListeners } from './capture-listeners.ts';
import { createCaptureTaps } from './capture-taps.ts';
import { startCaptureUpload } from './capture-upload.ts';
import type { CaptureListener, NamedConnection } from './listeners/capture-listener.ts';
import { type CallChecks, createCallChecks, NO_ANSWER } from './enforcement/call-checks.ts';
import { createInterceptor } from './interceptor.ts';
import { createLeafCertificates, type LeafCertificates } from './leaf-certificates.ts';
import type { Pauses } from './pauses.ts';
import { noTenantRules } from './reports/redactor.ts';
import type { SentExchanges } from './sent-exchanges.ts';
import { createUpstreamContexts } from './upstream-context.ts';

export interface CaptureOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  pauses: Pick<Pauses, 'until' | 'changed'>;
  /** Returns false while the roots of this device's certificates are still being installed. */
  isTrusted: () => boolean;
  /** Called with the number of exchanges that were uploaded. */
  onUploaded: (captures: number) => void;
}

/** Captures exchanges with the hosts that an administrator enabled. */
export interface Capture {
  /** Returns the number of reports in the spool. */
  queued: () => number;
  /** Programs that currently reject this device's certificates. */
  refusals: () => CertificateRefusal[];
  /** The last exchanges that the control plane accepted, as they were uploaded. */
  sent: SentExchanges;
  /** Records a DNS answer that a program on this machine received. */
  addResolved: OnResolved;
  /** Redirected connections that have named their server. */
  named: Signal<NamedConnection>;
  /** The names of the open capture listeners. */
  listeners: () => CaptureListener['name'][];
  stop: () => Promise<void>;
}

const withCaptureOff = (config: DeviceConfig | null): DeviceConfig => ({
  ...config,
  version: config?.version ?? 0,
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off',
  tool_checks: 'off',
});

/**
 * Opens the capture listeners of this machine while any host is captured or blocked, and uploads
 * redacted exchanges.
 */
export function startCapture(deps: CaptureOptions): Capture {
  const { device, link, log, problems, pauses } = deps;
  const notices = createNotices((lines) => problems.set('capture', lines));
  const config = (): DeviceConfig => configToCapture(device, link, pauses);
  const tenantRules = (): OwnRules => config().masking ?? noTenantRules;
  const onNotice = (line: string): void => {
    log.info(`capture: ${line}`);
    notices.add(line);
  };

  const named = createSignal<NamedConnection>();
  const upload = startCaptureUpload({ ...deps, notices });
  const taps = createCaptureTaps({ tenantRules, onReport: upload.add, onNotice: notices.add });
  const checks = createPolicyChecks(deps, tenantRules, onNotice);
  const interceptor = createInterceptor({
    config,
    leafCertificates: createLeafSource(deps, onNotice),
    upstreamContext: createUpstreamContexts({
      systemRoots,
      tenantRoots: () => device.credentials.roots(),
    }),
    tap: taps.open,
    checks,
    onNamed: named.emit,
    onNotice,
    onBlocked: logHourly((line) => log.info(`capture: ${line}`)),
  });
  const listeners = startCaptureListeners({
    ...deps,
    config,
    interceptor,
    onProbe: (socket) => named.emit({ ...socket, name: null, isOwn: true }),
  });

  link.applied.subscribe(() => {
    notices.clear();
    problems.set('policy check');
    const { capture_enabled, enforce_policies } = config();
    if (capture_enabled && enforce_policies) checks.start();
    interceptor.applyConfig();
    listeners.update();
  });
  const restrict = (): void => {
    interceptor.applyConfig();
    listeners.update();
  };
  pauses.changed.subscribe(restrict);
  link.refused.subscribe(restrict);
  link.connectionChanged.subscribe(listeners.update);

  return {
    queued: upload.queued,
    sent: upload.sent,
    refusals: () => refusalsToReport(interceptor.refusals()),
    named,
    listeners: listeners.names,
    addResolved: listeners.addResolved,
    stop: async () => {
      await listeners.stop();
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
  const effectiveConfig = link.configuration.effective();
  // A revoked device captures nothing.
  if (!effectiveConfig || !hasIdentity(credentials)) return withCaptureOff(effectiveConfig);
  return pauses.until() === null ? effectiveConfig : withoutCapture(effectiveConfig);
}

const TOO_MANY_REQUESTS = 429;

/** Creates the checks that ask the control plane whether a call is allowed. */
const createPolicyChecks = (
  { options, link }: CaptureOptions,
  tenantRules: () => OwnRules,
  onNotice: (line: string) => void,
): CallChecks =>
  createCallChecks({
    tenantRules,
    requestVerdict: async (check, signal) => {
      const result = await link.connection.request('policy check', signal, (to) =>
        to.checkCall({ body: check }, { signal }),
      );
      if (result.kind === 'answered') return result.response;
      const isLimited = result.kind === 'failed' && result.failure.status === TOO_MANY_REQUESTS;
      return isLimited ? 'this device has too many calls at once' : NO_ANSWER;
    },
    onNotice,
    timeoutMs: options.policyCheckSeconds * 1000,
  });

/** Issues certificates from the device's current authority. */
function createLeafSource(
  { device, isTrusted }: Pick<CaptureOptions, 'device' | 'isTrusted'>,
  onNotice: (line: string) => void,
): () => LeafCertificates | null {
  const { credentials } = device;
  let current: { fingerprint: string; leaves: LeafCertificates } | null = null;
  return () => {
    if (!isTrusted()) return null;
    const authority = credentials.get('intermediate');
    if (!authority || authority.notAfter <= Date.now()) return (current = null);
    if (authority.notBefore > Date.now()) {
      onNotice('nothing is captured: the clock of this computer is slow');
      return (current = null);
    }
    const fingerprint = authority.fingerprint256;
    if (current?.fingerprint !== fingerprint)
      current = { fingerprint, leaves: createLeafCertificates(authority) };
    return current.leaves;
  };
}

/** Roots that a browser on this machine trusts; never roots that only the control plane uses. */
function systemRoots(): readonly string[] {
  const result = readTrustedRoots(null);
  return 'roots' in result ? result.roots : [];
}
