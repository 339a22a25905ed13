import type { ControlPlane } from '../start.ts';
import { version } from './version.ts';

/** What a person who starts the service sees: where it is and how to sign in. */
export function banner(name: string, { urls, firstCredentials }: ControlPlane): string {
  const lines = [
    `${name} ${version}`,
    `  console    ${urls.public}`,
    `  API        ${urls.public}/docs`,
    `  devices    ${urls.device}`,
  ];
  if (firstCredentials) {
    const { email, password, apiKey } = firstCredentials;
    lines.push(`  sign in    ${email}   ${password ?? 'with the password you gave'}`);
    if (apiKey) lines.push(`  API key    ${apiKey}`);
    if (password ?? apiKey) lines.push('  Keep these: they are shown only this once.');
  }
  return `${lines.join('\n')}\n`;
}
