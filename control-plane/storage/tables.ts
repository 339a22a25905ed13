import type { AnnotationTables } from './tables/annotation-queues.ts';
import type { ApprovalTables } from './tables/approvals.ts';
import type { AuditTables } from './tables/audit.ts';
import type { AuthorityTables, EnrollmentTables, RecordingKeyTables } from './tables/enrollment.ts';
import type { CallHourTables } from './tables/call-hours.ts';
import type { CaptureTables } from './tables/captures.ts';
import type { CodingAgentTables } from './tables/coding-agents.ts';
import type { CostTables } from './tables/costs.ts';
import type { DashboardTables } from './tables/dashboards.ts';
import type { DatasetTables } from './tables/datasets.ts';
import type { DeviceReportTables } from './tables/device-reports.ts';
import type { DeviceTables } from './tables/devices.ts';
import type { EventTables } from './tables/events.ts';
import type { GovernanceTables, PolicyVersionTables } from './tables/governance.ts';
import type { GuardTables } from './tables/guard.ts';
import type { IdentityTables } from './tables/identity.ts';
import type { InventoryTables } from './tables/inventory.ts';
import type { ListViewTables } from './tables/list-views.ts';
import type { MemoryTables } from './tables/memory.ts';
import type { NotificationTables } from './tables/notifications.ts';
import type { OtelTables } from './tables/otel.ts';
import type { PendingDeletionTables } from './tables/pending-deletions.ts';
import type { PromptTables } from './tables/prompts.ts';
import type { RecordingTables } from './tables/recording.ts';
import type { SearchTables } from './tables/search.ts';
import type { SettingsTables } from './tables/settings.ts';
import type { TenancyTables } from './tables/tenancy.ts';
import type { UsageTables } from './tables/usage.ts';
/**
 * Columns have the same names as the API. Times are integer milliseconds, JSON is text, and
 * booleans are 0 or 1, so that neither database needs a conversion.
 */
export interface Tables
  extends
    AnnotationTables,
    ApprovalTables,
    AuditTables,
    AuthorityTables,
    CallHourTables,
    CaptureTables,
    CodingAgentTables,
    CostTables,
    DashboardTables,
    DatasetTables,
    DeviceReportTables,
    DeviceTables,
    EnrollmentTables,
    EventTables,
    GovernanceTables,
    GuardTables,
    IdentityTables,
    InventoryTables,
    ListViewTables,
    MemoryTables,
    NotificationTables,
    OtelTables,
    PendingDeletionTables,
    PolicyVersionTables,
    PromptTables,
    RecordingKeyTables,
    RecordingTables,
    SearchTables,
    SettingsTables,
    TenancyTables,
    UsageTables {}
