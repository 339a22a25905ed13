import type { DescribedEvent, EventFacts, NotifiableEvent } from '../notification-event.ts';
import { cleanText, oneLine } from './text-rules.ts';

/** Maximum lengths, because names and reasons come from agents, and messages must be bounded. */
const TITLE = 300;
const TEXT = 2000;

const NOTHING = {
  severity: null,
  agent: null,
  policy: null,
  device: null,
  approval_id: null,
  threshold: null,
} as const;

type Described = Omit<DescribedEvent, 'event' | 'cause'> & { of: readonly string[] };

/** Describes an event for rules and messages. Events with the same cause may be sent together. */
export function describeEvent(notifiable: NotifiableEvent): DescribedEvent {
  const { of, facts, ...described } = factsOf(notifiable);
  const { event } = notifiable;
  return {
    ...described,
    event,
    cause: [event, ...of].join(' '),
    facts: { ...facts, title: oneLine(facts.title, TITLE), text: cleanText(facts.text, TEXT) },
  };
}

function factsOf(notifiable: NotifiableEvent): Described {
  switch (notifiable.event) {
    case 'incident.raised':
      return ofIncident(notifiable.incident);
    case 'approval.requested':
    case 'approval.expiring':
      return ofApproval(notifiable);
    case 'device.enrolled':
    case 'device.revoked':
      return ofDecidedDevice(notifiable);
    case 'device.offline':
      return ofOfflineDevice(notifiable);
    case 'device.problem':
      return ofDeviceProblem(notifiable);
    case 'budget.reached':
      return ofBudget(notifiable);
    case 'recording.failing':
      return ofRecording(notifiable);
  }
}

type Of<E extends NotifiableEvent['event']> = Extract<NotifiableEvent, { event: E }>;

function ofIncident(incident: Of<'incident.raised'>['incident']): Described {
  const { policy_id, policy_name, hostname, app_name, device_id, agent_name } = incident;
  const where = app_name === null ? agent_name : `${app_name} on ${hostname}`;
  const verb = incident.action === 'block' ? 'blocked' : 'warned about';
  return {
    tenant_id: incident.tenant_id,
    of: [policy_id],
    facts: {
      ...NOTHING,
      title: `${policy_name} ${verb} ${where}`,
      text: incident.reason,
      severity: incident.severity,
      agent: agent_name || null,
      policy: { id: policy_id, name: policy_name },
      device: device_id === null ? null : { id: device_id, hostname: hostname ?? '' },
      path: placeOf(incident),
      details: {
        incident_id: incident.id,
        action: incident.action,
        category: incident.category,
        run_id: incident.run_id,
        workflow_name: incident.workflow_name || null,
      },
    },
  };
}

function placeOf({ run_id, device_id }: Of<'incident.raised'>['incident']): string {
  if (run_id !== null) return `/runs/${run_id}`;
  return device_id === null ? '/incidents' : `/devices/${encodeURIComponent(device_id)}`;
}

function ofApproval({
  event,
  approval,
}: Of<'approval.requested' | 'approval.expiring'>): Described {
  const { id, agent_name, action_type, policy_id, policy_name, expires_at } = approval;
  const until = new Date(expires_at).toISOString();
  const what =
    event === 'approval.requested'
      ? `asks to run ${action_type}`
      : `still waits for ${action_type}`;
  return {
    tenant_id: approval.tenant_id,
    of: [policy_id, agent_name],
    facts: {
      ...NOTHING,
      title: `${agent_name} ${what}`,
      text: `${approval.reason}. Decide before ${until}.`,
      agent: agent_name,
      policy: { id: policy_id, name: policy_name },
      path: '/approvals?status=pending',
      approval_id: id,
      details: {
        approval_id: id,
        action_type,
        workflow_name: approval.workflow_name,
        agent_id: approval.agent_id || null,
        user_id: approval.user_id || null,
        expires_at: until,
      },
    },
  };
}

const aboutDevice = (
  device: { id: string; hostname: string; user: string },
  facts: Pick<EventFacts, 'title' | 'text'>,
) => ({
  ...NOTHING,
  ...facts,
  device: { id: device.id, hostname: device.hostname },
  path: `/devices/${encodeURIComponent(device.id)}`,
  details: { device_id: device.id, hostname: device.hostname, user: device.user },
});

function ofDecidedDevice({
  event,
  tenantId,
  device,
  by,
}: Of<'device.enrolled' | 'device.revoked'>): Described {
  const verb = event === 'device.enrolled' ? 'enrolled' : 'was revoked';
  const text = `Device of ${device.user || 'no user'}, by ${by}`;
  const facts = aboutDevice(device, { title: `${device.hostname} ${verb}`, text });
  return { tenant_id: tenantId, of: [], facts };
}

function ofOfflineDevice({
  tenantId,
  device,
  minutes,
  last_seen,
}: Of<'device.offline'>): Described {
  const seen = new Date(last_seen).toISOString();
  const title = `${device.hostname} has been offline for ${minutes} minutes`;
  const facts = aboutDevice(device, { title, text: `Last seen ${seen}` });
  const details = { ...facts.details, last_seen: seen };
  return { tenant_id: tenantId, of: [], facts: { ...facts, threshold: minutes, details } };
}

function ofDeviceProblem({ tenantId, device, problems }: Of<'device.problem'>): Described {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const text = problems.join('\n');
  const facts = aboutDevice(device, { title: `${device.hostname} reports ${count}`, text });
  return { tenant_id: tenantId, of: [], facts };
}

function ofBudget(notifiable: Of<'budget.reached'>): Described {
  const { tenantId, policy, agent, budget, percent, threshold, used, max } = notifiable;
  return {
    tenant_id: tenantId,
    of: [policy?.id ?? 'end users'],
    facts: {
      ...NOTHING,
      title: `${budget}${agent === null ? '' : ` for ${agent}`} is ${percent}% used`,
      text: `${used} of ${max}`,
      agent,
      policy,
      path: policy ? `/policies/${encodeURIComponent(policy.id)}` : '/users',
      threshold,
      details: { budget, percent, used, max },
    },
  };
}

function ofRecording({ tenantId, device, lost, reason }: Of<'recording.failing'>): Described {
  if (device) {
    const title = `${device.hostname} dropped ${lost} ${lost === 1 ? 'report' : 'reports'}`;
    const facts = aboutDevice(device, { title, text: reason });
    return {
      tenant_id: tenantId,
      of: ['devices'],
      facts: { ...facts, details: { ...facts.details, lost } },
    };
  }
  return {
    tenant_id: tenantId,
    of: ['spans'],
    facts: {
      ...NOTHING,
      title: `${lost} OpenTelemetry ${lost === 1 ? 'span was' : 'spans were'} refused`,
      text: reason,
      path: '/get-started',
      details: { lost, reason },
    },
  };
}
