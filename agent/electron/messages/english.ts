/** A message with plural forms; `count` is the number. */
interface Plural {
  one: string;
  other: string;
}

/** All messages of the tray and the window. Names in braces are replaced by values. */
export const english = {
  none: '–',
  unknown: 'Unknown',
  'unit.B': '{amount} B',
  'unit.kB': '{amount} kB',
  'unit.MB': '{amount} MB',
  'unit.GB': '{amount} GB',
  'unit.TB': '{amount} TB',

  'state.waiting for configuration': 'Waiting for configuration',
  'state.enrolling': 'Enrolling',
  'state.waiting for approval': 'Waiting for approval',
  'state.connected': 'Observing',
  'state.disconnected': 'No connection',
  'agent.silent': 'The agent does not respond. Close this window and open it again.',

  'tray.enrolling': 'Enrolling with {host}',
  'tray.approval': 'Waiting for approval by {host}',
  'tray.disconnected': 'Observing, no connection to {host}',
  'tray.nothing': 'Nothing is decrypted',
  'tray.capturing one': 'Capturing {host}',
  'tray.capturing': { one: 'Capturing {count} host', other: 'Capturing {count} hosts' },
  'tray.paused': 'Capture paused until {time}',
  'tray.problems': { one: '{count} problem', other: '{count} problems' },
  'tray.show': 'Show what is observed',
  'tray.quit': 'Quit',
  'menu.window': 'Window',
  'menu.view': 'View',

  'capture.label': 'What is recorded',
  'capture.nothing': 'Nothing is decrypted',
  'capture.paused': 'Capture is paused until {time}',
  'capture.on': 'Traffic of {apps} to {hosts} is read and sent to your company, redacted',
  'capture.all apps': 'all apps',
  'capture.apps': { one: '{count} app', other: '{count} apps' },
  'capture.hosts': { one: '{count} host', other: '{count} hosts' },
  'capture.seen':
    'Your company sees which AI apps are installed, which app connects to which address, when, and how much data it transfers.',
  'capture.seen later':
    'Once this computer is enrolled, your company sees which AI apps are installed, which app connects to which address, when, and how much data it transfers.',
  'capture.unread': 'The content is not read.',
  'capture.unread until then': 'Until then, no content is read.',
  'capture.redacted':
    'Secrets and personal data are replaced on this computer before anything is sent.',
  'capture.enforced': 'Policies of your company may refuse calls before they are made.',
  'capture.blocked': 'Blocked by your company: {names}',
  'capture.only apps': 'Only from these apps: {names}',
  'capture.host': 'Host',
  'capture.layer': 'Set for',
  'capture.since': 'Captured since',
  'capture.switched on': 'Capture is enabled for: {layer}',
  'layer.default': 'every computer, by default',
  'layer.profile': 'this computer, by its profile',
  'layer.global': 'the whole company',
  'layer.app_type': 'this kind of app',
  'layer.user_group': 'your user group',
  'layer.device': 'this computer',
  'layer.agent': 'one AI agent',

  'coding.title': 'Coding agents',
  'coding.metadata':
    'Coding agents on this computer report to your company which models and tools they use, when, and what it costs. No texts.',
  'coding.prompts':
    'Coding agents on this computer report their work to your company, with your prompts and their responses.',
  'coding.tools':
    'Coding agents on this computer report their work to your company, with your prompts, their responses, and the input and output of tools: commands, paths, contents of files.',
  'coding.checks':
    'Before they call a tool, coding agents on this computer check whether policies of your company allow it. Your company sees the tool, the coding agent, its session, the user and the time of each call. The check does not send what the tool receives.',
  'coding.files': 'Settings that make them report to this app',
  'coding.tool': 'Coding agent',
  'coding.purpose': 'For',
  'coding.for telemetry': 'Reports',
  'coding.for tool_checks': 'Tool checks',
  'coding.file': 'File',
  'coding.written': 'Written on',
  'coding.delivered': 'By device management',

  'pause.for': {
    one: 'Pause capture for {count} minute',
    other: 'Pause capture for {count} minutes',
  },
  'pause.resume': 'Resume capture',
  'pause.reported': 'Your company sees when you pause, and for how long.',
  'pause.goes on':
    'Your company still sees which AI apps are installed, which app connects to which address, when, how much data it transfers, and what is blocked.',
  'pause.failed': 'Capture was not changed: your company may no longer allow it.',

  'problems.title': 'Problems',
  'problems.other': 'Something does not work as it should.',
  'problems.other remedy': 'If this continues, send the message below to your contact.',
  'problems.setup': 'This computer has not been set up yet, or not completely.',
  'problems.setup remedy':
    'Device management completes the setup. If this continues, ask your contact.',
  'problems.network': 'The control plane cannot be reached, or does not accept reports.',
  'problems.network remedy':
    'Check that this computer is online. Reports are stored and sent later.',
  'problems.identity': 'This computer could not prove its identity to the control plane.',
  'problems.identity remedy': 'It tries again automatically. If this continues, ask your contact.',
  'problems.storage': 'Something could not be stored on this computer.',
  'problems.storage remedy': 'Check whether the disk is full.',
  'problems.observing': 'Not everything can be observed on this computer.',
  'problems.observing remedy':
    'The app may lack a permission that device management grants. Ask your contact.',
  'problems.inventory': 'The list of AI apps on this computer may be incomplete.',
  'problems.inventory remedy':
    'Connections are observed nevertheless. If this continues, send the message below to your contact.',
  'problems.capturing': 'Capture does not work for every app or host.',
  'problems.capturing remedy':
    'Traffic passes unchanged, without capture. Restart the app; if it does not work, ask your contact.',
  'problems.refused': 'An administrator chose hosts that cannot be captured on this computer.',
  'problems.refused remedy':
    'They are not captured; everything else works. An administrator has to correct the hosts, or update this app. Tell your contact.',
  'problems.coding':
    'Settings of coding agents could not be written, or another program changed them.',
  'problems.coding remedy':
    'A coding agent without these settings does not report, or does not check its tool calls. If this continues, ask your contact.',
  'problems.telemetry':
    'Reports of coding agents or tool calls do not completely reach your company.',
  'problems.telemetry remedy':
    'Coding agents keep working. Check that this computer is online; if this continues, ask your contact.',
  'problems.checks': 'Tool calls of coding agents cannot be checked completely.',
  'problems.checks remedy':
    'Until this works again, the settings of your company decide which calls are allowed. If a coding agent cannot call its tools, ask your contact.',

  'notes.title': 'Notes',
  'notes.unread': {
    one: 'A file or folder could not be read when AI apps were looked for.',
    other: '{count} files or folders could not be read when AI apps were looked for.',
  },
  'notes.unread remedy':
    'What they describe is missing from the list of AI apps; everything else works. If the message below names an error in your file, you can correct it.',

  'sent.title': 'Sent from this computer today',
  'sent.flow_reports': 'Reports of connections',
  'sent.captures': 'Exchanges, redacted',
  'sent.inventories': 'Lists of AI apps',
  'sent.telemetry': 'Requests with telemetry of coding agents',
  'sent.tool_calls': 'Records of tool calls',
  'sent.bytes': 'Total',
  'sent.not counted':
    'Coding agents that send their telemetry directly to the control plane are not counted.',

  'exchanges.title': 'Last exchanges, as they were sent',
  'exchanges.none': 'None since the app was started',
  'exchanges.redacted': '{count} × {kind}',
  'exchanges.not redacted': 'Nothing was replaced',
  'exchanges.replaced': 'Replaced before it was sent',
  'exchanges.request': 'Request, as it was sent',
  'exchanges.response': 'Response, as it was sent',
  'exchanges.no body': 'No text was sent',
  'exchanges.cut': 'Only its beginning was sent.',
  'exchanges.refused': 'A policy of your company refused this call.',
  'exchanges.gone': 'It is no longer stored on this computer.',
  'exchanges.loading': 'Loading',

  'apps.title': 'AI apps on this computer',
  'apps.none': 'None found',
  'kind.desktop_app': { one: 'App', other: 'Apps' },
  'kind.cli': { one: 'Command-line tool', other: 'Command-line tools' },
  'kind.editor_extension': { one: 'Editor extension', other: 'Editor extensions' },
  'kind.mcp_server': { one: 'MCP server', other: 'MCP servers' },
  'kind.local_model_server': { one: 'Local model server', other: 'Local model servers' },
  'kind.browser_extension': { one: 'Browser extension', other: 'Browser extensions' },
  'kind.built_in_feature': { one: 'Built-in feature', other: 'Built-in features' },
  'kind.plugin': { one: 'Agent plugin', other: 'Agent plugins' },
  'kind.instruction_file': { one: 'Instruction file', other: 'Instruction files' },
  'kind.skill': { one: 'Skill', other: 'Skills' },
  'kind.hook': { one: 'Hook', other: 'Hooks' },
  'kind.sub_agent': { one: 'Sub-agent', other: 'Sub-agents' },
  'kind.local_model': { one: 'Local model', other: 'Local models' },
  'level.content': 'Captured: content',
  'level.metadata': 'Captured: metadata only',
  'level.off': 'Not captured',
  'level.unknown': 'Captured: not known yet',

  'flows.title': 'Latest connections',
  'flows.open': { one: '{count} open', other: '{count} open' },
  'flows.none': 'None seen since the app was started',
  'flows.app': 'App',
  'flows.to': 'To',
  'flows.started': 'Started',
  'flows.received': 'Received',
  'flows.sent': 'Sent',
  'flows.is open': 'open',
  'flows.address': '{address}, port {port}',

  'device.title': 'This computer',
  'device.enrolled with': 'Enrolled with',
  'device.service': 'Control plane',
  'device.id': 'Device',
  'device.not enrolled': 'Not enrolled yet',
  'device.certificate': 'Certificate valid until',
  'device.keys': 'Private keys',
  'device.keys none': 'None yet',
  'device.keys bound': 'Bound to the TPM of this computer',
  'device.keys not_bound': 'Kept in a file, not bound to the hardware',
  'device.keys locked': 'Bound to the TPM of this computer, which cannot be used now',
  'device.configuration': 'Configuration',
  'device.version': 'Version {version}',
  'device.no configuration': 'None yet',
  'device.reports': 'Reports',
  'device.reports sent': '{sent} sent, {queued} waiting',
  'device.reports lost': '{sent} sent, {queued} waiting, {dropped} discarded',

  'contact.title': 'Contact',
  'contact.unknown': 'The administrators of this computer',
  'version.own': 'Version {version}',
  'version.newer': 'Version {version} is available: device management will install it.',
} as const satisfies Record<string, string | Plural>;

export type MessageKey = keyof typeof english;
export type Messages = { [K in MessageKey]: (typeof english)[K] extends string ? string : Plural };
