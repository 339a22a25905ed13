import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import type { PolicyCategory } from '../data/policy-sources.ts';
import { categoryName, categorySentence } from './category-names.ts';
import { withCategory } from './policy-draft.ts';
import type { Draft } from './policy-draft.ts';
import './category-cards.css';

interface CategoryCardsProps {
  draft: Draft;
  categories: readonly PolicyCategory[];
  onEdit: (draft: Draft) => void;
}

/**
 * Selection of the category of a new policy. Rules typed for one category are kept while another is
 * selected.
 */
export function CategoryCards({ draft, categories, onEdit }: CategoryCardsProps) {
  const group = useId();
  return (
    <fieldset className="category-cards card">
      <legend>
        <Trans>What should it govern?</Trans>
      </legend>
      <div>
        {categories.map((category) => (
          <label key={category.name}>
            <input
              type="radio"
              name={group}
              checked={category.name === draft.category}
              onChange={() => onEdit(withCategory(draft, category))}
            />
            <span>
              <strong>{categoryName(category.name)}</strong>
              <small>{categorySentence(category.name) || category.summary}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
