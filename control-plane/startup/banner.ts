import type { ControlPlane } from '../start.ts';
import { version } from './version.ts';

/** Returns the startup banner with the URLs and how to sign in. */
export function banner(name: string, { urls, firstCredentials }: ControlPlane): string {
  const lines = [
    `${name} ${version}`,
    `  console    ${urls.public}`,
    `  API        ${urls.public}/docs`,
    `  devices    ${urls.device}`,
    ...(urls.otlpGrpc ? [`  OTLP gRPC  ${urls.otlpGrpc}`] : []),
  ];
  if (firstCredentials) {
    const { email, password, apiKey } = firstCredentials;
    lines.push(`  sign in    ${email}   ${password ?? 'with the password you gave'}`);
    if (apiKey) lines.push(`  API key    ${apiKey}`);
    if (password ?? apiKey) lines.push('  Save these: they are shown only once.');
  }
  return `${lines.join('\n')}\n`;
}
