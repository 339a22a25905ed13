import mark from '../gatehouse.svg';

export function Brand() {
  return (
    <span className="brand">
      <img src={mark} alt="" width="22" height="22" />
      <span>Gatehouse</span>
    </span>
  );
}
