import type { ReactNode } from 'react';
import { Text } from './text.tsx';
import './descriptions.css';

interface DescriptionsProps {
  descriptions: readonly (readonly [name: string, value: ReactNode])[];
}

/** A list of names with descriptions. */
export const Descriptions = ({ descriptions }: DescriptionsProps) => (
  <dl className="descriptions">
    {descriptions.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{typeof value === 'string' ? <Text>{value}</Text> : value}</dd>
      </div>
    ))}
  </dl>
);
