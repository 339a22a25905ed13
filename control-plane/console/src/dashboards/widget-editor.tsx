import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useDeferredValue, useState } from 'react';
import type { SubmitEvent } from 'react';
import { measure as measures } from '#contract/analytics-query.ts';
import { chartKinds } from '#contract/dashboards.ts';
import type { AnalyticsFilters, Widget, WidgetQuery } from '../data/dashboard-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import type { TimeRange } from '../time-range.ts';
import {
  chartNames,
  groupingNames,
  groupingsFor,
  intervalNames,
  isAdditive,
  measureNames,
  widthNames,
} from './query-words.ts';
import { newWidget, titleOf, withQuery } from './widget-draft.ts';
import { WidgetView } from './widget-view.tsx';
import './widget-editor.css';

interface WidgetEditorProps {
  /** Undefined for a new widget. */
  widget: Widget | undefined;
  range: TimeRange;
  filters: AnalyticsFilters;
  onSave: (widget: Widget) => Promise<unknown>;
  onClose: () => void;
}

/** Form for a widget, with a preview. */
export function WidgetEditor({ widget, range, filters, onSave, onClose }: WidgetEditorProps) {
  const [draft, setDraft] = useState(widget ?? newWidget);
  const { error, busy, attempt } = useAttempt();
  // Typing takes priority over the preview.
  const preview = useDeferredValue(draft);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    if (await attempt(() => onSave({ ...draft, title: titleOf(draft) }))) onClose();
  };
  return (
    <Dialog title={widget ? t`Edit widget` : t`Add widget`} onClose={onClose} wide>
      <form className="widget-editor" onSubmit={(event) => void submit(event)}>
        <div className="widget-fields">
          <Fields draft={draft} onChange={setDraft} />
        </div>
        <section className="card widget-preview" aria-label={t`Preview`}>
          <h3>{titleOf(preview)}</h3>
          <WidgetView
            widget={{ ...preview, title: t`Preview: ${titleOf(preview)}` }}
            range={range}
            filters={filters}
          />
        </section>
        <DialogActions error={error} action={widget ? t`Save` : t`Add`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  draft: Widget;
  onChange: (draft: Widget) => void;
}

function Fields({ draft, onChange }: FieldsProps) {
  const { chart, query } = draft;
  const change = (changes: Partial<WidgetQuery>) => onChange(withQuery(draft, changes));
  const isGrouped = chart !== 'number' && query.group_by !== 'none';
  return (
    <>
      <TextField
        label={t`Title`}
        hint={t`Leave empty to name it after its query`}
        maxLength={100}
        placeholder={titleOf({ ...draft, title: '' })}
        value={draft.title}
        onChange={(value) => onChange({ ...draft, title: value })}
      />
      <Options
        label={t`Measure`}
        options={measures.options.map((id) => [id, measureNames[id]])}
        value={query.measure}
        onChange={(measure) => change({ measure })}
      />
      <Options
        label={t`Chart`}
        options={chartKinds
          .filter((id) => id !== 'stacked_bar' || isAdditive(query.measure))
          .map((id) => [id, chartNames[id]])}
        value={chart}
        onChange={(kind) => onChange({ ...draft, chart: kind })}
      />
      {chart !== 'number' && (
        <Options
          label={t`Group by`}
          options={groupingsFor(query.measure).map((id) => [id, groupingNames[id]])}
          value={query.group_by}
          onChange={(group_by) => change({ group_by })}
        />
      )}
      {isGrouped && <Top top={query.top} onChange={(top) => change({ top })} />}
      {chart !== 'bar' && chart !== 'table' && (
        <Options
          label={t`Interval`}
          hint={t`Short periods are shown by hour, very long ones by week`}
          options={(['hour', 'day', 'week'] as const).map((id) => [id, intervalNames[id]])}
          value={query.interval === 'none' ? 'day' : query.interval}
          onChange={(interval) => change({ interval })}
        />
      )}
      <FilterFields filters={query.filters} onChange={(filters) => change({ filters })} />
      <div className="form-field">
        <span className="field-label">
          <Trans>Width</Trans>
        </span>
        <Choice
          label={t`Width`}
          options={(['half', 'full'] as const).map((id) => ({ id, name: widthNames[id] }))}
          value={draft.width}
          onChange={(width) => onChange({ ...draft, width })}
        />
      </div>
    </>
  );
}

interface OptionsProps<Id extends string> {
  label: string;
  hint?: string;
  options: readonly (readonly [Id, string])[];
  value: Id;
  onChange: (id: Id) => void;
}

const Options = <Id extends string>({
  label,
  hint,
  options,
  value,
  onChange,
}: OptionsProps<Id>) => (
  <FormField label={label} hint={hint}>
    {(control) => (
      <select
        {...control}
        className="field"
        value={value}
        onChange={({ target }) => {
          const chosen = options.find(([id]) => id === target.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    )}
  </FormField>
);

const Top = ({ top, onChange }: { top: number; onChange: (top: number) => void }) => (
  <FormField label={t`Groups shown`} hint={t`All others are combined`}>
    {(control) => (
      <input
        {...control}
        type="number"
        className="field"
        min={1}
        max={50}
        value={top}
        onChange={({ target }) => {
          const count = Math.round(target.valueAsNumber);
          if (count >= 1 && count <= 50) onChange(count);
        }}
      />
    )}
  </FormField>
);

interface FilterFieldsProps {
  filters: AnalyticsFilters;
  onChange: (filters: AnalyticsFilters) => void;
}

const named = [
  ['agent', t`Agent`],
  ['workflow', t`Workflow`],
  ['user', t`End user`],
  ['team', t`Team`],
  ['environment', t`Environment`],
  ['score', t`Name of the score`],
] as const;
const listed = [
  ['model', t`Models`],
  ['tag', t`Tags`],
] as const;

/** Fields for the filters of the widget itself. The filters of the page apply in addition. */
function FilterFields({ filters, onChange }: FilterFieldsProps) {
  const set = (name: keyof AnalyticsFilters, value: string | string[]) => {
    const { [name]: _before, ...others } = filters;
    onChange(value.length === 0 ? others : { ...others, [name]: value });
  };
  return (
    <details className="widget-filters" open={Object.keys(filters).length > 0}>
      <summary>
        <Trans>Filters</Trans>
      </summary>
      <div className="widget-fields">
        {named.map(([name, label]) => (
          <FormField key={name} label={label}>
            {(control) => (
              <input
                {...control}
                className="field"
                maxLength={200}
                value={filters[name] ?? ''}
                onChange={({ target }) => set(name, target.value)}
              />
            )}
          </FormField>
        ))}
        {listed.map(([name, label]) => (
          <FormField key={name} label={label} hint={t`Separated by commas`}>
            {(control) => (
              <input
                {...control}
                className="field"
                defaultValue={(filters[name] ?? []).join(', ')}
                onBlur={({ target }) => set(name, partsOf(target.value))}
              />
            )}
          </FormField>
        ))}
      </div>
    </details>
  );
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
