import { z } from 'zod';
import { routes } from './route.ts';

/** The configuration delivered by the profile, as the agent reads it. */
export const managedConfig = z.object({
  // Device certificates require TLS.
  api_url: z.url({ protocol: /^https$/ }),
  api_key: z.string().min(1),
  capture_enabled: z.boolean().default(false),
  intercept_hosts: z.array(z.string()).default([]),
  intercept_processes: z.array(z.string()).default([]),
});
export type ManagedConfig = z.output<typeof managedConfig>;

/** The beginning and end of a profile. */
const profileExample = `<?xml version="1.0" encoding="UTF-8"?>
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

export const deploymentRoutes = routes({
  getMdmProfile: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/mdm-profile/',
    acts: true,
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
      payloads: z
        .enum(['full'], { error: 'expected "full", or no value for the three default payloads' })
        .optional()
        .meta({ description: 'full: adds the payloads that suppress macOS prompts' }),
    }),
    refuses: [409],
    produces: 'application/x-apple-aspen-config',
    response: z.string().meta({ examples: [profileExample] }),
  },
  getInstaller: {
    method: 'GET',
    path: '/api/svc/v1/endpoint/installer/',
    acts: true,
    summary:
      'Download the installer package for device management, `<app name>-Setup-<version>.pkg`',
    auth: 'api-key',
    permission: 'admin',
    errors: 'coded',
    refuses: [404],
    tagged: true,
    downloads: ['application/octet-stream'],
    response: z.string().meta({ examples: ['(the bytes of the package)'] }),
  },
});
