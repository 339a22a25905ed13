import { z } from 'zod';
import { callCheck, callVerdict } from './call-check.ts';
import { captureReport, certificateRefusal, MAX_REFUSALS } from './captures.ts';
import { flowReport, observationGap } from './flows.ts';
import { appReport, notRead } from './inventory.ts';
import { count, timestamp } from './fields.ts';
import { appNotes } from './app-settings.ts';
import { capturePause } from './capture-pauses.ts';
import { guardFields, guardOrigin, guardSource } from './guard.ts';
import { routes } from './route.ts';
import { ownRules } from './settings.ts';
import { decidedToolCall, toolCall, toolPolicies, toolVerdict } from './tool-checks.ts';

const pem = z.string().max(20_000);

/** The complete effective configuration of one device. */
export const deviceConfig = z.object({
  version: z.int().min(0),
  ...guardFields.shape,
  // Control planes without this field do not enforce policies.
  enforce_policies: guardFields.shape.enforce_policies.default(false),
  // These control planes do not support pauses either, so agents must not report any to them.
  pause_minutes: guardFields.shape.pause_minutes.default(0),
  // These control planes issue no keys for coding agents.
  coding_agents: guardFields.shape.coding_agents.default('off'),
  // These control planes do not support checks of tool calls.
  tool_checks: guardFields.shape.tool_checks.default('off'),
  origins: z
    .record(z.string(), guardOrigin)
    .optional()
    .meta({
      description:
        'the source of each field. Control planes that omit it do not accept ' +
        '`pauses` in heartbeats',
    }),
  host_sources: z
    .record(z.string(), guardSource)
    .optional()
    .meta({
      description:
        'the layer that switches each host of `intercept_hosts` on, which may be broader than the ' +
        'source of the list; omitted by older control planes',
    }),
  app: appNotes.optional().meta({ description: 'settings displayed by the app on the device' }),
  masking: ownRules.optional().meta({
    description:
      'what the device redacts besides the built-in types; omitted by control planes ' +
      'that do not support it',
  }),
});
export type DeviceConfig = z.output<typeof deviceConfig>;

const certificates = {
  identity_certificate: pem,
  intermediate_certificate: pem
    .nullable()
    .meta({ description: 'null while capture is disabled for all hosts on this device' }),
  root_certificate: pem.meta({ description: 'the root that signed them' }),
  root_certificates: z
    .array(pem)
    .max(20)
    .meta({ description: 'all trusted roots of the tenant, `root_certificate` first' }),
};

/**
 * Text that a device chose. It is displayed in lists and logs, where it must not break or reorder
 * lines.
 */
const displayText = z
  .string()
  .regex(
    /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u,
    'expected text without control characters, line breaks or direction marks',
  );

export const enrollBody = z.strictObject({
  hardware_id: displayText
    .min(8)
    .max(128)
    .meta({ examples: ['b2f0c6d4-7a1e-5c3b-9d8f-0e6a4b2c1d3f'] }),
  hostname: displayText.min(1).max(253),
  os: displayText.max(50),
  os_version: displayText.max(100),
  agent_version: displayText.max(50),
  user: displayText.max(256),
  user_group: displayText.max(200).nullable(),
  identity_csr: pem,
  ca_csr: pem,
});
export type EnrollBody = z.output<typeof enrollBody>;

export const enrollment = z.object({
  device_id: z.string(),
  ...certificates,
  config: deviceConfig,
});
export type Enrollment = z.output<typeof enrollment>;

/** The response while the device, or its key, is not approved. */
export const waitingEnrollment = z.object({
  status: z.literal('pending'),
  device_id: z.string(),
  retry_after: z.int().min(1).meta({ description: 'seconds, as in the header Retry-After' }),
});
export type WaitingEnrollment = z.output<typeof waitingEnrollment>;

/** The id of a batch, with which repeated requests change nothing. */
const batchId = z.string().min(8).max(64);
const accepted = z.object({
  accepted: count.meta({
    description:
      'accepted reports: flows and apps, merged with earlier reports; captures only if ' +
      'their id is new, since the first one with an id is kept',
  }),
  duplicate: z.boolean().meta({ description: 'the batch was already accepted: nothing changed' }),
});

const byCertificate = { auth: 'device', listener: 'device', errors: 'coded' } as const;

export const deviceRoutes = routes({
  enroll: {
    method: 'POST',
    path: '/api/svc/v1/endpoint/enroll/',
    summary: 'Enroll a device: certificate requests in, certificates and configuration out',
    auth: 'api-key',
    permission: 'enroll',
    listener: 'device',
    errors: 'coded',
    body: enrollBody,
    status: 201,
    response: enrollment,
    accepted: waitingEnrollment,
  },
  renew: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/renew/',
    summary: 'Renew the identity, and the intermediate for the currently enabled hosts',
    body: z.strictObject({ identity_csr: pem, ca_csr: pem }),
    response: enrollment,
  },
  getConfig: {
    ...byCertificate,
    method: 'GET',
    path: '/api/svc/v1/endpoint/config/',
    summary: 'The effective configuration of this device',
    response: deviceConfig,
    etag: true,
  },
  reportInventory: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/inventory/',
    summary: 'Report all AI apps found by one scan',
    body: z.strictObject({
      batch_id: batchId,
      apps: z.array(appReport).max(5000),
      not_read: z.array(notRead).max(1000).optional(),
    }),
    response: accepted,
  },
  reportFlows: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/flows/',
    summary: 'Report a batch of flows',
    body: z.strictObject({ batch_id: batchId, flows: z.array(flowReport).max(1000) }),
    response: accepted,
  },
  reportCaptures: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/captures/',
    summary:
      'Report a batch of captured exchanges; those without capture enabled are rejected by id',
    body: z.strictObject({ batch_id: batchId, captures: z.array(captureReport).max(100) }),
    response: accepted.extend({
      refused: z.array(z.object({ id: z.string(), reason: z.string() })),
    }),
  },
  checkCall: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/policy-check/',
    summary: 'Check whether an LLM call held by the device may be made; refusals are recorded',
    body: callCheck,
    response: callVerdict,
  },
  getToolPolicies: {
    ...byCertificate,
    method: 'GET',
    path: '/api/svc/v1/endpoint/tool-policies/',
    summary: 'The policies by which this device decides tool calls of coding agents',
    response: toolPolicies,
    etag: true,
  },
  checkTool: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/tool-check/',
    summary: 'Check whether a coding agent may call a tool; the evaluation is recorded',
    body: toolCall,
    response: toolVerdict,
  },
  reportToolCalls: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/tool-calls/',
    summary: 'Report tool calls that the device decided by itself, to be evaluated and recorded',
    body: z.strictObject({ batch_id: batchId, calls: z.array(decidedToolCall).max(500) }),
    response: accepted,
  },
  issueRecordingKey: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/recording-key/',
    summary:
      'Issue a key with which coding agents on this device may export OpenTelemetry and nothing ' +
      'else; refused while Guard has them off',
    status: 201,
    errorStatuses: [403],
    response: z.object({
      key: z.string().max(200),
      endpoint: z.string().meta({
        description: 'base of the OTLP routes, to which exporters append `/v1/logs`',
      }),
      renew_at: timestamp.meta({ description: 'when the device should ask for the next one' }),
      expires_at: timestamp,
    }),
  },
  heartbeat: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/heartbeat/',
    summary: 'Report that the device is online, and its status',
    body: z.strictObject({
      agent_version: z.string().max(50),
      applied_version: z.int().min(0),
      queued: count.meta({ description: 'reports waiting in the spool' }),
      dropped: count.meta({
        description: 'reports dropped since enrollment because the spool was full',
      }),
      problems: z.array(z.string().max(500)).max(20),
      not_observed: z
        .array(observationGap)
        .max(20)
        .optional()
        .meta({
          description:
            'repeated with each heartbeat until one succeeds; a gap with the same ' +
            'reason and start is stored once',
        }),
      certificate_refusals: z
        .array(certificateRefusal)
        .max(MAX_REFUSALS)
        .optional()
        .meta({
          description:
            'the current list, which replaces that of earlier heartbeats. Control planes ' +
            'that omit `masking` in the configuration reject it',
        }),
      pauses: z
        .array(capturePause)
        .max(20)
        .optional()
        .meta({
          description:
            'capture pauses: each is reported when it begins and when it ends, until a ' +
            'heartbeat with it succeeds',
        }),
    }),
    response: z.object({ config_version: z.int() }),
  },
});

export const DEVICE_CHANNEL_PATH = '/api/svc/v1/endpoint/channel/';

/** The close code of a channel that was replaced by a newer one of the same device. */
export const CHANNEL_REPLACED = 4409;

/** A message from the server to the device. */
export const channelPush = z.object({ type: z.literal('config'), config: deviceConfig });
export type ChannelPush = z.output<typeof channelPush>;

/** A message from the device to the server: this version is now applied. */
export const channelReply = z.object({ type: z.literal('applied'), version: z.int().min(0) });
export type ChannelReply = z.output<typeof channelReply>;
