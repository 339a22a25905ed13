import { z } from 'zod';
import { hookFailModes, recordingLevels } from './guard.ts';
import { routes } from './route.ts';

/** The configuration that the profile delivers, as the agent reads it. */
export const managedConfig = z.object({
  // Device certificates require TLS.
  api_url: z.url({ protocol: /^https$/ }),
  api_key: z.string().min(1),
  capture_enabled: z.boolean().default(false),
  intercept_hosts: z.array(z.string()).default([]),
  intercept_processes: z.array(z.string()).default([]),
});
export type ManagedConfig = z.output<typeof managedConfig>;

/** The start and the end of a profile. */
const PROFILE_EXAMPLE = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array/>
  <key>PayloadType</key>
  <string>Configuration</string>
  <key>PayloadVersion</key>
  <integer>1</integer>
</dict>
</plist>`;

const payloads = z
  .enum(['full'], { error: 'expected "full", or no value for the three default payloads' })
  .meta({ description: 'full: adds the payloads that suppress macOS prompts' });

const codingAgents = z
  .enum(recordingLevels, {
    error: `expected ${recordingLevels.join(', ')}, or no value for no payloads for coding agents`,
  })
  .meta({
    description:
      'adds managed preferences that make coding agents on Macs report their work, with this ' +
      'content. Guard still decides whether they are recorded, and removes content above its level: ' +
      'choose the lowest level that is enough',
  });

const toolChecks = z
  .enum(hookFailModes, {
    error: `expected ${hookFailModes.join(', ')}, or no value for no hooks of coding agents`,
  })
  .meta({
    description:
      'adds managed preferences that make coding agents on Macs ask the agent before they call a ' +
      'tool. While no agent runs, open allows every call and closed refuses it. Guard still decides ' +
      'whether the agent checks calls',
  });

export const deploymentRoutes = routes({
  getMdmProfile: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/mdm-profile/',
    hasSideEffects: true,
    summary:
      'Download the unsigned configuration profile for device management; the API key must also ' +
      'have the enroll permission',
    auth: 'api-key',
    permission: 'admin',
    errors: 'coded',
    query: z.object({
      hosts: z.string().optional().meta({
        description: 'hosts to pre-enable, comma-separated; default: none',
      }),
      payloads: payloads.optional(),
      coding_agents: codingAgents.optional(),
      tool_checks: toolChecks.optional(),
    }),
    errorStatuses: [409],
    produces: 'application/x-apple-aspen-config',
    response: z.string().meta({ examples: [PROFILE_EXAMPLE] }),
  },
  getInstaller: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/installer/',
    hasSideEffects: true,
    summary:
      'Download the installer package for device management, `<app name>-Setup-<version>.pkg`',
    auth: 'api-key',
    permission: 'admin',
    errors: 'coded',
    errorStatuses: [404],
    etag: true,
    downloads: ['application/octet-stream'],
    response: z.string().meta({ examples: ['(the bytes of the package)'] }),
  },
  createMdmProfile: {
    method: 'POST',
    path: '/api/v1/endpoint/mdm-profile/',
    summary: 'Make the configuration profile for device management, as an administrator',
    auth: 'session',
    role: 'admin',
    errors: 'text',
    body: z.object({
      hosts: z
        .array(z.string().max(300))
        .max(1000)
        .default([])
        .meta({ description: 'hosts to pre-enable' }),
      payloads: payloads.nullish(),
      coding_agents: codingAgents.nullish(),
      tool_checks: toolChecks.nullish(),
    }),
    errorStatuses: [409],
    produces: 'application/x-apple-aspen-config',
    response: z.string().meta({ examples: [PROFILE_EXAMPLE] }),
  },
  downloadInstaller: {
    method: 'POST',
    path: '/api/v1/endpoint/installer/',
    summary: 'Download the installer package, as an administrator',
    auth: 'session',
    role: 'admin',
    errors: 'text',
    errorStatuses: [404],
    downloads: ['application/octet-stream'],
    response: z.string().meta({ examples: ['(the bytes of the package)'] }),
  },
});
