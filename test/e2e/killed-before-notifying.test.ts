import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { API_KEY, settingsOn, type TestClient } from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, built, type Program, startProgram } from '../support/processes.ts';
import {
  type HttpReceiver,
  type MailServer,
  startHttpReceiver,
  startMailServer,
} from '../support/receivers.ts';

describe.each(databases)('killed before notifying on %s', (kind) => {
  let database: TestDatabase;
  let program: Program | undefined;
  let receiver: HttpReceiver;
  let mail: MailServer;
  let env: Record<string, string>;
  let byKey: TestClient;

  beforeAll(async () => {
    database = await newDatabase(kind);
    [receiver, mail] = await Promise.all([startHttpReceiver(), startMailServer()]);
    const port = await freePort();
    env = {
      ...settingsOn(database),
      PORT: String(port),
      SMTP_URL: mail.url,
      SMTP_FROM: 'gatehouse@example.test',
      NOTIFY_PRIVATE_NETWORKS: '127.0.0.0/8',
    };
    byKey = createClient(contract, {
      baseUrl: `http://127.0.0.1:${port}`,
      headers: () => ({ 'X-Svc-Key': API_KEY }),
    });
    await start();
  });
  afterAll(async () => {
    await program?.stop('SIGKILL');
    await Promise.all([receiver.stop(), mail.stop()]);
    await database.remove();
  });

  async function start(): Promise<void> {
    program = startProgram(built.controlPlane, env);
    await program.waitForOutput(/http:\/\/localhost/);
  }

  test('the events of every acknowledged request are sent by the next process', async () => {
    const { notifications, policies, evaluations } = byKey;
    const channels = [
      await notifications.createChannel({
        body: { kind: 'webhook', name: 'hook', url: receiver.url },
      }),
      await notifications.createChannel({
        body: { kind: 'email', name: 'mail', recipients: ['ada@example.test'] },
      }),
    ];
    await notifications.createNotificationRule({
      body: {
        name: 'approvals',
        events: ['approval.requested'],
        channel_ids: channels.map(({ id }) => id),
        group_seconds: 15,
      },
    });
    await policies.createPolicy({ body: { name: 'p', category: 'approval', rules: {} } });
    const requested: string[] = [];
    for (let at = 0; at < 20; at += 1) {
      const body = { agent_name: 'releaser', workflow_name: 'deploy', agent_id: `i-${at}` };
      requested.push((await evaluations.checkPolicy({ body })).metadata.approval_id as string);
    }
    await program?.stop('SIGKILL');
    expect([receiver.requests.length, mail.mails.length]).toEqual([0, 0]);
    await start();
    const sent = new Set<string>();
    for (let count = 1; sent.size < requested.length; count += 1) {
      const request = (await receiver.waitForRequests(count))[count - 1]!;
      const { data } = JSON.parse(request.body) as {
        data: { events: { details: { approval_id: string } }[] };
      };
      for (const { details } of data.events) sent.add(details.approval_id);
    }
    expect([...sent].toSorted()).toEqual(requested.toSorted());
    await mail.waitForMails(1);
  });
});
