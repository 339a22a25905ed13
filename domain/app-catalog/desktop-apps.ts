import { agentApps } from './agent-apps.ts';
import { appsWithAssistant } from './apps-with-assistant.ts';
import { assistantApps } from './assistant-apps.ts';
import { codingApps } from './coding-apps.ts';
import { creativeApps } from './creative-apps.ts';
import type { DesktopApp } from './entry.ts';
import { modelRunnerApps } from './model-runner-apps.ts';
import { moreAssistantApps } from './more-assistant-apps.ts';
import { moreRepositoryApps } from './more-repository-apps.ts';
import { repositoryApps } from './repository-apps.ts';
import { speechApps } from './speech-apps.ts';

/**
 * Apps with a window: assistants, model runners, editors built around an agent, apps with built-in
 * AI.
 */
export const desktopApps: readonly DesktopApp[] = [
  ...assistantApps,
  ...moreAssistantApps,
  ...modelRunnerApps,
  ...appsWithAssistant,
  ...speechApps,
  ...creativeApps,
  ...codingApps,
  ...agentApps,
  ...repositoryApps,
  ...moreRepositoryApps,
];
