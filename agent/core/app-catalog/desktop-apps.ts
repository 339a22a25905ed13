import { appsWithAssistant } from './apps-with-assistant.ts';
import { assistantApps } from './assistant-apps.ts';
import { codingApps } from './coding-apps.ts';
import type { DesktopApp } from './entry.ts';
import { modelRunnerApps } from './model-runner-apps.ts';

/** Apps with a window: assistants, model runners, editors built around an agent. */
export const desktopApps: readonly DesktopApp[] = [
  ...assistantApps,
  ...modelRunnerApps,
  ...appsWithAssistant,
  ...codingApps,
];
