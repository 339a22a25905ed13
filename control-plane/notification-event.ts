import type { NotificationEventName } from '#contract/notifications.ts';
import type { Severity } from '#contract/policy-actions.ts';
import type { ApprovalTable } from './storage/tables/approvals.ts';
import type { IncidentTable } from './storage/tables/governance.ts';
import type { Tx } from './storage/transaction.ts';

/** An event with the facts that the capability raising it knows. */
export type NotifiableEvent =
  | { event: 'incident.raised'; incident: IncidentTable }
  | { event: 'approval.requested' | 'approval.expiring'; approval: ApprovalTable }
  | {
      event: 'device.enrolled' | 'device.revoked';
      tenantId: string;
      device: DeviceFacts;
      by: string;
    }
  | {
      event: 'device.offline';
      tenantId: string;
      device: DeviceFacts;
      minutes: number;
      last_seen: number;
    }
  | {
      event: 'device.problem';
      tenantId: string;
      device: DeviceFacts;
      problems: readonly string[];
    }
  | ({ event: 'budget.reached'; tenantId: string } & BudgetFacts)
  | ({ event: 'recording.failing'; tenantId: string } & RecordingFacts);

export interface DeviceFacts {
  id: string;
  hostname: string;
  user: string;
}

export interface BudgetFacts {
  /** Null for the monthly budget of an end user. */
  policy: { id: string; name: string } | null;
  agent: string | null;
  /** The limit as the start of a sentence, such as `Daily cost limit of gpt-4o`. */
  budget: string;
  percent: number;
  /** The percentage that rules name. */
  threshold: number;
  used: string;
  max: string;
}

export interface RecordingFacts {
  /** Null for refused spans. */
  device: DeviceFacts | null;
  /** The number lost since the last event. */
  lost: number;
  reason: string;
}

/** Stores an event for the rules that match it, in the transaction in which it happens. */
export type Notify = (tx: Tx, event: NotifiableEvent) => Promise<void>;

/** The facts that rules match and messages show. */
export interface EventFacts {
  /** One line. */
  title: string;
  text: string;
  severity: Severity | null;
  agent: string | null;
  policy: { id: string; name: string } | null;
  device: { id: string; hostname: string } | null;
  /** The page of the event in the console. */
  path: string;
  approval_id: string | null;
  /** Matches only rules with this number. */
  threshold: number | null;
  details: Readonly<Record<string, string | number | null>>;
}

export interface DescribedEvent {
  tenant_id: string;
  event: NotificationEventName;
  /** Events with the same cause may be combined into one message. */
  cause: string;
  facts: EventFacts;
}
