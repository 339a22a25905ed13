import type { ReactNode } from 'react';
import './icons.css';

/**
 * Creates a decorative icon, hidden from assistive technology because the text beside it has the
 * same meaning.
 */
const icon = (shape: ReactNode) =>
  function Icon() {
    return (
      <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {shape}
      </svg>
    );
  };

export const DevicesIcon = icon(
  <>
    <rect x="2" y="3" width="12" height="8" rx="1.5" />
    <path d="M5.5 13.5h5" />
  </>,
);
export const CodingIcon = icon(<path d="M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13" />);
export const AppsIcon = icon(
  <path d="M2.5 2.5h4.2v4.2H2.5zM9.3 2.5h4.2v4.2H9.3zM2.5 9.3h4.2v4.2H2.5zM9.3 9.3h4.2v4.2H9.3z" />,
);
export const FlowsIcon = icon(
  <path d="M2 5.5h10.5M10 3l2.5 2.5L10 8M14 10.5H3.5M6 8l-2.5 2.5L6 13" />,
);
export const CapturesIcon = icon(
  <>
    <path d="M2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11" />
    <path d="M5 6.5h6M5 9.5h4" />
  </>,
);
export const GuardIcon = icon(
  <path d="M8 1.8l5 1.9v4c0 3.1-2.1 5.4-5 6.5-2.9-1.1-5-3.4-5-6.5v-4z" />,
);
export const RunsIcon = icon(<path d="M2.5 4h5M2.5 8h8M2.5 12h4M10.5 4h3M9.5 12h4M13.5 8h0" />);
export const CallsIcon = icon(<path d="M2.5 3h11v7.5H7L4 13v-2.5H2.5zM5.5 6.8h5" />);
export const ScoresIcon = icon(
  <path d="M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z" />,
);
export const AnnotationIcon = icon(
  <>
    <path d="M2 4h7M2 8h4.5M2 12h3" />
    <path d="M8 13l.5-2.3L13 6.2l1.8 1.8-4.5 4.5z" />
  </>,
);
export const SessionsIcon = icon(
  <>
    <path d="M2 2.5h8v5.5H6L4 10V8H2z" />
    <path d="M12 6h2v5.5h-2V13.5l-2-2H7" />
  </>,
);
export const UsersIcon = icon(
  <>
    <circle cx="6" cy="5.2" r="2.4" />
    <path d="M1.8 13c.3-2.6 2-4 4.2-4s3.9 1.4 4.2 4M10.6 3.1a2.4 2.4 0 0 1 0 4.2M12 9.6c1.3.6 2 1.8 2.2 3.4" />
  </>,
);
export const CostsIcon = icon(
  <path d="M2 13.5h12M3.5 13.5V9.5M6.5 13.5V6M9.5 13.5V8M12.5 13.5V3" />,
);
export const DashboardsIcon = icon(
  <path d="M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3h-4.5z" />,
);
export const MoreIcon = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />);
export const DatasetsIcon = icon(
  <>
    <ellipse cx="8" cy="3.8" rx="5" ry="1.8" />
    <path d="M3 3.8v8.4c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V3.8M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8" />
  </>,
);
export const PromptsIcon = icon(<path d="M3.5 2h6L12.5 5v9h-9zM9.5 2v3h3M6 8.2h4M6 11h4" />);
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="M10.2 10.2l3.3 3.3" />
  </>,
);
export const ChevronIcon = icon(<path d="M6 3.5L10.5 8 6 12.5" />);
export const AlertIcon = icon(
  <>
    <path d="M8 2.2l6.2 11H1.8z" />
    <path d="M8 6.5v3M8 11.3v.1" />
  </>,
);
export const PauseIcon = icon(<path d="M5.5 3.5v9M10.5 3.5v9" />);
export const PlayIcon = icon(<path d="M5 3.2l7.5 4.8L5 12.8z" />);
export const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </>,
);
export const CheckIcon = icon(<path d="M3 8.5l3.2 3.2L13 5" />);
export const CloseIcon = icon(<path d="M4 4l8 8M12 4l-8 8" />);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const ArrowUpIcon = icon(<path d="M8 13V3.5M4 7.2l4-4 4 4" />);
export const ArrowDownIcon = icon(<path d="M8 3v9.5M4 8.8l4 4 4-4" />);
export const StopIcon = icon(<path d="M4.5 4.5h7v7h-7z" />);
export const PlaygroundIcon = icon(
  <path d="M6 2.5h4M6.8 2.5v4L3.2 12a1 1 0 0 0 .8 1.5h8a1 1 0 0 0 .8-1.5L9.2 6.5v-4M5 10h6" />,
);
export const SignOutIcon = icon(
  <path d="M6.5 2.5h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M6 8h7.5M11 5.3L13.7 8 11 10.7" />,
);
export const PoliciesIcon = icon(
  <path d="M8 2v11M4.5 13h7M3 4.5h10M3 4.5L1.5 9h3zM13 4.5L11.5 9h3z" />,
);
export const IncidentsIcon = icon(
  <path d="M4 11V7.5a4 4 0 0 1 8 0V11M2.5 13.2h11M8 1v1M2.6 3.2l.8.8M13.4 3.2l-.8.8" />,
);
export const ApprovalsIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.8" />
    <path d="M5.5 8.2l1.8 1.8 3.3-3.6" />
  </>,
);
export const AuditIcon = icon(
  <>
    <path d="M12.5 6V2h-9v12h4" />
    <path d="M5.8 5h4.4M5.8 7.8h1.7" />
    <circle cx="11.2" cy="11.2" r="2.8" />
    <path d="M11.2 9.8v1.4l.9.6" />
  </>,
);
export const KeysIcon = icon(
  <>
    <circle cx="5" cy="11" r="2.6" />
    <path d="M7 9.2l5.8-5.8M10.6 5.6l2 2M9 7.2l1.2 1.2" />
  </>,
);
export const SettingsIcon = icon(
  <path d="M2.5 4.5h6M12 4.5h1.5M10.2 2.7v3.6M2.5 11.5h1.5M7.5 11.5h6M5.8 9.7v3.6" />,
);
export const SwitchIcon = icon(
  <path d="M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13" />,
);
export const AccountIcon = icon(
  <>
    <circle cx="8" cy="5.4" r="2.6" />
    <path d="M3 13.6c.4-2.8 2.3-4.2 5-4.2s4.6 1.4 5 4.2" />
  </>,
);
export const MenuIcon = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const FilterIcon = icon(<path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />);
export const HomeIcon = icon(
  <path d="M2.5 7.5L8 2.8l5.5 4.7M4 6.5v6.7h8V6.5M6.7 13.2V9.5h2.6v3.7" />,
);
export const DocsIcon = icon(
  <path d="M8 4C6.5 2.8 4.5 2.6 2.5 2.9v9.6c2-.3 4-.1 5.5 1.1 1.5-1.2 3.5-1.4 5.5-1.1V2.9C11.5 2.6 9.5 2.8 8 4zM8 4v9.6" />,
);
export const NotificationsIcon = icon(
  <path d="M4.2 11.2V7.4a3.8 3.8 0 0 1 7.6 0v3.8l1.2 1.3H3zM6.6 14a1.5 1.5 0 0 0 2.8 0M8 3.6V2.2" />,
);
export const StartIcon = icon(<path d="M4 13.8V2.5M4 3h8.5l-2 3 2 3H4" />);
export const ToolIcon = icon(
  <path d="M9.6 5.9a3.4 3.4 0 0 1 4.2-3.3L11.6 4.8l.3 1.3 1.3.3 2.2-2.2a3.4 3.4 0 0 1-4.6 4L5 14a1.6 1.6 0 0 1-2.3-2.3l5.9-5.6z" />,
);
export const SpanIcon = icon(<path d="M2.5 8h11M2.5 5v6M13.5 5v6" />);
export const StepIcon = icon(<path d="M4 14V2.5h8L9.8 5.3 12 8H4" />);
