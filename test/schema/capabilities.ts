interface Capability {
  title: string;
  about?: string;
  /** A description of each table in one line. */
  tables: Readonly<Record<string, string>>;
}

/** Capabilities in the order of `docs/schema.md`. */
export const capabilities: readonly Capability[] = [
  {
    title: 'Tenancy',
    tables: {
      tenants: 'Tenants and their sub-tenants, with their limits.',
      tenant_settings: 'Retention and masking of a tenant; without a row, the defaults hold.',
      tenant_add_ons: 'The add-ons that a tenant has activated.',
      quota_days: 'What a sub-tenant and all tenants below it used on one UTC day.',
    },
  },
  {
    title: 'Identity',
    tables: {
      users: 'People who sign in to the console.',
      sessions: 'Sign-ins to the console.',
      identity_settings: 'The password rules of a tenant; without a row, the defaults hold.',
      sign_in_failures: 'Recent failed sign-ins, by which guessing is limited.',
      listed_failures:
        'How many failed sign-ins of a user the audit log has recorded within a period.',
      api_keys: 'API keys, by the hash of the key.',
      sub_user_sessions: 'Tokens issued for a customer’s own users.',
    },
  },
  {
    title: 'Lists',
    tables: {
      list_views: 'Filters and columns of the console’s lists that users saved.',
      list_view_defaults: 'The view that a list opens with, by user.',
    },
  },
  {
    title: 'Dashboards',
    tables: { dashboards: 'Saved dashboards, with the queries of their widgets.' },
  },
  {
    title: 'Audit',
    tables: {
      audit_entries: 'Who did what. Entries never change; each has the hash of the one before it.',
      audit_heads: 'The last entry of each tenant’s log, so that a cut end is noticed.',
      audit_totals: 'Entries by actor, action and UTC day, so that lists need not count.',
      audit_exports: 'Files made from the log, in the background.',
      audit_export_chunks: 'The pieces of such a file, compressed with gzip.',
    },
  },
  {
    title: 'Recording',
    tables: {
      workflows: 'Each pair of an agent and a workflow that was recorded.',
      runs: 'Runs of AI agents.',
      llm_calls: 'The LLM calls of runs, with the texts of prompt and response.',
      steps: 'The steps of runs.',
      spans: 'The spans of runs: tools, retrievers, decisions and the like.',
      scores: 'Ratings of runs and LLM calls.',
      events: 'Free-form governance and audit events that clients send.',
      recording_batches: 'Batches that were recorded, so that one sent again changes nothing.',
    },
  },
  {
    title: 'Annotation queues',
    tables: {
      annotation_queues: 'Queues of runs that people review, with the scores that they give.',
      annotation_items: 'The runs in a queue, and who reviews or reviewed each.',
    },
  },
  {
    title: 'Deletions',
    tables: {
      pending_deletions: 'What was deleted, or never completed, and still has rows.',
    },
  },
  {
    title: 'Usage',
    about:
      'Totals that recording keeps in its own transaction. By hour, an empty `agent_name` stands for all\nagents together.',
    tables: {
      run_totals: 'Runs by agent and status.',
      run_hours: 'Runs by the hour of their start, status and range of duration.',
      run_sessions: 'Sessions: the runs that share a `session_id`.',
      session_agents: 'The agents of a session.',
      tracked_users: 'Users that runs name, with their totals.',
      user_agents: 'The agents of a user.',
      user_models: 'The models of a user, with their totals.',
      group_totals: 'How many sessions and tracked users there are.',
      agent_group_totals: 'How many sessions and tracked users an agent has.',
      model_totals: 'LLM calls by agent and model, since the beginning.',
      model_hours: 'LLM calls by agent, hour and model.',
      call_hours:
        'LLM calls by hour, agent and one of workflow, user, team, API key, tags, model and provider; counted in the background.',
      counted_hours: 'The hours that `call_hours` holds, and of which state of `model_hours`.',
      score_totals: 'Scores by name, type and source.',
      score_hours: 'Scores by agent, hour, name and type.',
      score_value_hours: 'How often each categorical or boolean value was given, by hour.',
      end_user_days: 'What an end user’s runs used on one UTC day.',
    },
  },
  {
    title: 'OpenTelemetry',
    tables: {
      otel_traces: 'Traces that arrived, and the run that each became.',
      otel_spans: 'Spans that arrived, so that they may come in any order, and twice.',
      otel_unknowns:
        'Attributes that were not understood and spans that were refused, counted, each with its latest trace and value.',
    },
  },
  {
    title: 'Search',
    about:
      'The full-text index of LLM calls. On SQLite it is a file of its own, `gatehouse-search.db`, which is\nrebuilt when it is missing.',
    tables: {
      search_changes: 'Ranges of calls that changed or were deleted since they were indexed.',
      search_queue: 'Calls that wait to be indexed.',
      search_segments: 'Parts of the index: some facts of up to 65,536 calls each.',
      search_blocks: 'The words of a segment and where they stand.',
    },
  },
  {
    title: 'Prompts',
    tables: {
      prompts: 'Managed prompts.',
      prompt_versions: 'Versions of prompts, which never change.',
      prompt_labels: 'Labels that point to versions.',
      prompt_label_moves: 'Who pointed a label to which version, and when.',
      prompt_usage: 'LLM calls by the content of their prompt.',
    },
  },
  {
    title: 'Datasets and experiments',
    tables: {
      datasets: 'Collections of items.',
      dataset_items: 'Inputs with the outputs that are expected.',
      experiments: 'A prompt and a model that run over the items of a dataset.',
      experiment_results: 'The output for each item, which has the state of the start.',
      experiment_scores: 'What each evaluator says about an output.',
    },
  },
  {
    title: 'Memory',
    tables: {
      memory_slots: 'What agents remember: one row for each slot.',
      memory_items: 'The items of slots that hold a list.',
    },
  },
  {
    title: 'Costs',
    tables: {
      model_cost_overrides: 'A tenant’s own prices of models.',
      cost_recomputations: 'A tenant’s running or last recomputation of costs.',
    },
  },
  {
    title: 'Policies',
    tables: {
      policies: 'Policies.',
      policy_versions: 'Changes of policies; kept when the policy is deleted.',
      policy_states: 'The states of all policies for a subject, such as counters.',
      policy_checks: 'Policy checks without a run, with the answer of each policy.',
      policy_sets: 'The sets of policies that evaluated the checks of a day, by name.',
      evaluations: 'What policies answered about a run.',
      incidents: 'Findings of policies and inventory rules for a person to review.',
      incident_hours: 'Occurrences of incidents with one policy, agent and cause, by hour.',
      approvals: 'Requests of agents to be allowed something, and the decisions.',
      end_user_limits: 'What an end user, or each end user of a group, may use.',
    },
  },
  {
    title: 'Notifications',
    tables: {
      notification_channels: 'Where notifications are sent to, with encrypted URLs and secrets.',
      notification_rules: 'Which events are sent to which channels.',
      notification_events:
        'Events that have yet to become messages, stored together with their cause.',
      notification_deliveries: 'Messages, with the attempts to send them.',
      notification_items: 'The events in a message.',
      notification_marks: 'States that rules were already notified of.',
    },
  },
  {
    title: 'Devices',
    tables: {
      authorities: 'The roots of a tenant, with their encrypted private keys.',
      devices: 'Computers with the agent.',
      device_identities: 'Client certificates of devices.',
      coding_counters: 'Metrics of coding agents that no log or span reports: changed lines.',
      recording_keys: 'Keys with which coding agents on a device export OpenTelemetry.',
      device_intermediates: 'Certificate authorities that were issued to devices.',
      enrollment_settings: 'The enrollment rules of a tenant; without a row, the defaults hold.',
      app_settings: 'What the app on devices shows to people: a contact, the newest version.',
    },
  },
  {
    title: 'Device reports',
    tables: {
      device_batches: 'Batches that were received, so that one sent again changes nothing.',
      apps: 'AI apps found on devices.',
      flows: 'Connections of processes on devices.',
      observation_gaps: 'Periods for which flows of a device are missing.',
    },
  },
  {
    title: 'Inventory',
    tables: {
      app_groups: 'Apps across the fleet, computed from the apps of all devices.',
      app_changes: 'Apps whose group has to be computed again.',
      inventory_rules: 'Rules on apps: open an incident, or block.',
      inventory_blocks: 'What a rule blocks on a device because of an app.',
    },
  },
  {
    title: 'Guard',
    tables: {
      guard_layers: 'The layers that decide on capture and blocking.',
      guard_changes: 'Changes of layers; kept when the layer is deleted.',
    },
  },
  {
    title: 'Captures',
    tables: {
      captures: 'Exchanges that devices captured and redacted.',
      capture_agents: 'Which agent the runs that are made from captures belong to.',
      capture_pauses: 'Periods for which the person at a device paused capture.',
    },
  },
];
