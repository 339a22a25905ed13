import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useLocation } from 'wouter';
import { promptList } from '../data/prompt-sources.ts';
import type { PromptSummary } from '../data/prompt-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount } from '../format.ts';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Choice } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { namedColumns } from '../parts/named-columns.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { pathTo } from '../path-id.ts';
import { useFilters } from '../use-filters.ts';
import { CreatePrompt } from './create-prompt.tsx';
import { Labels } from './versions-table.tsx';

const pathOf = ({ id }: PromptSummary) => pathTo('prompts', id);

const columns: Column<PromptSummary>[] = [
  ...namedColumns(t`Prompt`, '24%', pathOf),
  { name: t`Type`, width: 72, cell: ({ prompt_type }) => <Badge>{prompt_type}</Badge> },
  {
    name: t`Versions`,
    width: 90,
    align: 'end',
    cell: ({ version_count }) => formatCount(version_count),
  },
  { name: t`Labels`, width: '22%', cell: ({ labels }) => <Labels labels={labels} /> },
  { name: t`Changed`, width: 110, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

export function PromptsPage({ user }: { user: User }) {
  const filters = useFilters();
  const reading = useQuery(promptList());
  const [, navigate] = useLocation();
  const search = filters.get('search');
  const archived = filters.get('state') === 'archived';
  return (
    <ListPage
      title={t`Prompts`}
      create={mayWrite(user) ? t`Create prompt` : undefined}
      renderDialog={(onClose) => (
        <CreatePrompt onCreated={(id) => navigate(pathTo('prompts', id))} onClose={onClose} />
      )}
    >
      <Loaded reading={reading}>
        {(prompts) =>
          prompts.length === 0 ? (
            <NoPrompts />
          ) : (
            <>
              <div className="toolbar">
                <SearchField
                  label={t`Search prompts`}
                  value={search}
                  onChange={(search) => filters.set({ search })}
                />
                {prompts.some(isArchived) && (
                  <Choice
                    label={t`Prompts`}
                    options={states}
                    value={archived ? 'archived' : 'current'}
                    onChange={(state) => filters.set({ state: state === 'current' ? '' : state })}
                  />
                )}
              </div>
              <PromptsTable
                prompts={prompts.filter(
                  (prompt) => isArchived(prompt) === archived && mentions(prompt, search),
                )}
                searched={search !== ''}
              />
            </>
          )
        }
      </Loaded>
    </ListPage>
  );
}

const states = [
  { id: 'current', name: t`Current` },
  { id: 'archived', name: t`Archived` },
] as const;

const isArchived = ({ archived_at }: PromptSummary): boolean => archived_at !== null;

interface PromptsTableProps {
  prompts: readonly PromptSummary[];
  searched: boolean;
}

function PromptsTable({ prompts, searched }: PromptsTableProps) {
  if (prompts.length === 0)
    return (
      <Empty title={searched ? t`No prompt matches this search` : t`No prompts in this list`} />
    );
  return (
    <DataTable
      label={t`Prompts`}
      columns={columns}
      rows={prompts}
      rowKey={({ id }) => id}
      rowLink={pathOf}
    />
  );
}

/**
 * Whether a prompt matches the search. Done in the browser, because the service lists all prompts
 * of a tenant at once.
 */
function mentions({ name, description, tags }: PromptSummary, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  const text = [name, description, ...tags].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const NoPrompts = () => (
  <Empty title={t`No prompts yet`}>
    <p>
      <Trans>
        Agents fetch prompts by name, so prompts can change without a deployment:{' '}
        <code>GET {location.origin}/api/v1/observe/prompts/…/</code>
      </Trans>
    </p>
  </Empty>
);
