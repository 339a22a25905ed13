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
  ...namedColumns('Prompt', '24%', pathOf),
  { name: 'Type', width: 72, cell: ({ prompt_type }) => <Badge>{prompt_type}</Badge> },
  {
    name: 'Versions',
    width: 90,
    align: 'end',
    cell: ({ version_count }) => formatCount(version_count),
  },
  { name: 'Labels', width: '22%', cell: ({ labels }) => <Labels labels={labels} /> },
  { name: 'Changed', width: 110, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

export function PromptsPage({ user }: { user: User }) {
  const filters = useFilters();
  const reading = useQuery(promptList());
  const [, navigate] = useLocation();
  const search = filters.get('search');
  const archived = filters.get('state') === 'archived';
  return (
    <ListPage
      title="Prompts"
      create={mayWrite(user) ? 'Create prompt' : undefined}
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
                  label="Search prompts"
                  value={search}
                  onChange={(search) => filters.set({ search })}
                />
                {prompts.some(isArchived) && (
                  <Choice
                    label="Prompts"
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
  { id: 'current', name: 'Current' },
  { id: 'archived', name: 'Archived' },
] as const;

const isArchived = ({ archived_at }: PromptSummary): boolean => archived_at !== null;

interface PromptsTableProps {
  prompts: readonly PromptSummary[];
  searched: boolean;
}

function PromptsTable({ prompts, searched }: PromptsTableProps) {
  if (prompts.length === 0)
    return <Empty title={searched ? 'No prompt matches this search' : 'There are none'} />;
  return (
    <DataTable
      label="Prompts"
      columns={columns}
      rows={prompts}
      rowKey={({ id }) => id}
      rowLink={pathOf}
    />
  );
}

/** Searched in the browser, because the service lists all prompts of a tenant at once. */
function mentions({ name, description, tags }: PromptSummary, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  const text = [name, description, ...tags].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const NoPrompts = () => (
  <Empty title="No prompts yet">
    <p>
      Agents fetch prompts by name, so prompts can change without a deployment:{' '}
      <code>GET {location.origin}/api/v1/observe/prompts/…/</code>
    </p>
  </Empty>
);
