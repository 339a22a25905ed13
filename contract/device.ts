import { z } from 'zod';
import { callCheck, callVerdict } from './call-check.ts';
import { captureReport, certificateRefusal, MOST_REFUSALS } from './captures.ts';
import { appReport, flowReport, notRead, observationGap } from './fleet.ts';
import { count } from './fields.ts';
import { appNotes } from './app-settings.ts';
import { capturePause } from './capture-pauses.ts';
import { guardFields, guardOrigin } from './guard.ts';
import { routes } from './route.ts';
import { ownRules } from './settings.ts';

const pem = z.string().max(20_000);

/** The effective configuration of one device, in whole. */
export const deviceConfig = z.object({
  version: z.int().min(0),
  ...guardFields.shape,
  // A control plane that is older than the field enforces nothing.
  enforce_policies: guardFields.shape.enforce_policies.default(false),
  // Neither does it know of pauses, nor is it to be told of any.
  pause_minutes: guardFields.shape.pause_minutes.default(0),
  origins: z
    .record(z.string(), guardOrigin)
    .optional()
    .meta({
      description:
        'where each field comes from. A control plane that leaves it out is of a version that takes ' +
        'no `pauses` in heartbeats',
    }),
  app: appNotes.optional().meta({ description: 'what the app on the device shows to its person' }),
  masking: ownRules.optional().meta({
    description:
      'what the device redacts besides all built-in types; not there in answers of a control plane ' +
      'that knows of none',
  }),
});
export type DeviceConfig = z.output<typeof deviceConfig>;

const certificates = {
  identity_certificate: pem,
  intermediate_certificate: pem
    .nullable()
    .meta({ description: 'null while capture is on for no host of this device' }),
  root_certificate: pem.meta({ description: 'the root that signed them' }),
  root_certificates: z
    .array(pem)
    .max(20)
    .meta({ description: 'every root of the tenant that is to be trusted, that one first' }),
};

/**
 * What a device calls itself is read by people, in lists and logs: it must not break their lines or
 * turn them around.
 */
const shownText = z
  .string()
  .regex(
    /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u,
    'expected text without control characters, line breaks or direction marks',
  );

export const enrollBody = z.strictObject({
  hardware_id: shownText
    .min(8)
    .max(128)
    .meta({ examples: ['b2f0c6d4-7a1e-5c3b-9d8f-0e6a4b2c1d3f'] }),
  hostname: shownText.min(1).max(253),
  os: shownText.max(50),
  os_version: shownText.max(100),
  agent_version: shownText.max(50),
  user: shownText.max(256),
  user_group: shownText.max(200).nullable(),
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

/** Nobody has approved the device yet, or not with this key. */
export const waitingEnrollment = z.object({
  status: z.literal('pending'),
  device_id: z.string(),
  retry_after: z.int().min(1).meta({ description: 'seconds, as in the header Retry-After' }),
});
export type WaitingEnrollment = z.output<typeof waitingEnrollment>;

/** Batches carry an id, so that sending one again changes nothing. */
const batchId = z.string().min(8).max(64);
const accepted = z.object({
  accepted: count.meta({
    description:
      'reports taken: flows and apps, each merged with what is known of it; captures only where ' +
      'their id was not known, for the first that came under an id stays',
  }),
  duplicate: z.boolean().meta({ description: 'the batch was taken before: nothing changed' }),
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
    waits: waitingEnrollment,
  },
  renew: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/renew/',
    summary: 'Renew the identity, and the intermediate for the hosts enabled now',
    body: z.strictObject({ identity_csr: pem, ca_csr: pem }),
    response: enrollment,
  },
  getConfig: {
    ...byCertificate,
    method: 'GET',
    path: '/api/svc/v1/endpoint/config/',
    summary: 'The effective configuration of this device',
    response: deviceConfig,
    tagged: true,
  },
  reportInventory: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/inventory/',
    summary: 'The AI apps found by one scan, all of them',
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
    summary: 'A batch of flow reports',
    body: z.strictObject({ batch_id: batchId, flows: z.array(flowReport).max(1000) }),
    response: accepted,
  },
  reportCaptures: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/captures/',
    summary: 'A batch of captured exchanges; what capture was not on for is refused by its id',
    body: z.strictObject({ batch_id: batchId, captures: z.array(captureReport).max(100) }),
    response: accepted.extend({
      refused: z.array(z.object({ id: z.string(), reason: z.string() })),
    }),
  },
  checkCall: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/policy-check/',
    summary: 'May a call of an LLM be made that the device holds? What is refused is on record',
    body: callCheck,
    response: callVerdict,
  },
  heartbeat: {
    ...byCertificate,
    method: 'POST',
    path: '/api/svc/v1/endpoint/heartbeat/',
    summary: 'The device is there, and how it is',
    body: z.strictObject({
      agent_version: z.string().max(50),
      applied_version: z.int().min(0),
      queued: count.meta({ description: 'reports waiting in the spool' }),
      dropped: count.meta({ description: 'reports given up since enrollment, spool full' }),
      problems: z.array(z.string().max(500)).max(20),
      not_observed: z
        .array(observationGap)
        .max(20)
        .optional()
        .meta({
          description:
            'sent again with each heartbeat until one is answered; a time that is known under its ' +
            'reason and start is not stored twice',
        }),
      certificate_refusals: z
        .array(certificateRefusal)
        .max(MOST_REFUSALS)
        .optional()
        .meta({
          description:
            'all that there are now: what an earlier heartbeat named is forgotten. Control planes ' +
            'that leave `masking` out of the configuration refuse it',
        }),
      pauses: z
        .array(capturePause)
        .max(20)
        .optional()
        .meta({
          description:
            'pauses of capture: each one once it begins and once it is over, again until a ' +
            'heartbeat with it is answered',
        }),
    }),
    response: z.object({ config_version: z.int() }),
  },
});

export const deviceChannelPath = '/api/svc/v1/endpoint/channel/';

/** The code by which a channel is closed when its device has opened another one. */
export const CHANNEL_REPLACED = 4409;

/** Server to device. */
export const channelPush = z.object({ type: z.literal('config'), config: deviceConfig });
export type ChannelPush = z.output<typeof channelPush>;

/** Device to server: this version is in force. */
export const channelReply = z.object({ type: z.literal('applied'), version: z.int().min(0) });
export type ChannelReply = z.output<typeof channelReply>;
