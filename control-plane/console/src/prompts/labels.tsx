import { Badge } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';

export const Labels = ({ labels }: { labels: readonly string[] }) => (
  <span className="badges">
    {labels.map((label) => (
      <Badge key={label} tone="accent">
        <Text>{label}</Text>
      </Badge>
    ))}
  </span>
);
