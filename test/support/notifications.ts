import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { notificationRoutes } from '#contract/notifications.ts';
import { startTestControlPlane, type TestControlPlane } from './control-plane.ts';
import type { databases } from './databases.ts';
import {
  type HttpReceiver,
  type MailServer,
  startHttpReceiver,
  startMailServer,
} from './receivers.ts';

type NewRule = RouteRequest<typeof notificationRoutes.createNotificationRule>['body'];

/** Sets up a control plane with a webhook receiver and a mail server. */
export function setUpNotifications(kind: (typeof databases)[number]) {
  let service: TestControlPlane;
  let receiver: HttpReceiver;
  let mail: MailServer;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    mail = await startMailServer();
    service = await startTestControlPlane(kind, {
      NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8',
      SMTP_URL: mail.url,
      SMTP_FROM: 'Gatehouse <gatehouse@example.test>',
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await mail.stop();
  });
  afterEach(async () => {
    receiver.respondWith({ status: 200, body: 'ok' });
    mail.rejectWith(undefined);
    for (const { id } of (await service.byKey.notifications.listNotificationRules()).results)
      await service.byKey.notifications.deleteNotificationRule({ params: { id } });
    for (const { id } of (await service.byKey.notifications.listChannels()).results)
      await service.byKey.notifications.deleteChannel({ params: { id } });
    service.setTime(undefined);
  });

  let made = 0;
  const uniqueName = (what: string): string => `${what}-${(made += 1)}`;

  const addRule = (rule: Omit<NewRule, 'name'>) =>
    service.byKey.notifications.createNotificationRule({
      body: { name: uniqueName('rule'), group_seconds: 5, ...rule },
    });

  /** Creates a policy that blocks the second start of each of these agents. */
  const limitStarts = (agents: string[]) =>
    service.byKey.policies.createPolicy({
      body: {
        name: uniqueName('policy'),
        category: 'rate-limit',
        rules: { max_per_hour: 1 },
        scope: { agents },
      },
    });
  const check = (agent_name: string) =>
    service.byKey.evaluations.checkPolicy({ body: { agent_name, workflow_name: 'w' } });
  /** Opens one incident for each agent. */
  async function openIncidents(agents: string[]) {
    const policy = await limitStarts(agents);
    for (const agent of agents) {
      await check(agent);
      expect((await check(agent)).action).toBe('block');
    }
    return policy;
  }

  const deliveries = (query: object = {}) => service.byKey.notifications.listDeliveries({ query });

  return {
    get service() {
      return service;
    },
    get receiver() {
      return receiver;
    },
    get mail() {
      return mail;
    },
    uniqueName,
    addRule,
    openIncidents,
    deliveries,
  };
}
