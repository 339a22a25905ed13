import { Text } from '../parts/text.tsx';

interface CheckListProps<Id extends string> {
  legend: string;
  options: readonly { id: Id; name: string; hint?: string }[];
  chosen: readonly Id[];
  onChange: (chosen: Id[]) => void;
}

export const CheckList = <Id extends string>({
  legend,
  options,
  chosen,
  onChange,
}: CheckListProps<Id>) => (
  <fieldset className="check-list">
    <legend>{legend}</legend>
    {options.map(({ id, name, hint }) => (
      <label key={id} className="check">
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
        />
        <span className="whole">
          <Text>{name}</Text>
          {hint !== undefined && <span className="muted"> · {hint}</span>}
        </span>
      </label>
    ))}
  </fieldset>
);
