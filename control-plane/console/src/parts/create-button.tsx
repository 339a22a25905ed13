import { PlusIcon } from '../icons.tsx';

interface CreateButtonProps {
  name: string;
  onClick: () => void;
}

export const CreateButton = ({ name, onClick }: CreateButtonProps) => (
  <button type="button" className="button primary" onClick={onClick}>
    <PlusIcon />
    {name}
  </button>
);
