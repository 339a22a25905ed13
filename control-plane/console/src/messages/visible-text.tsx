import { visible } from '../visible.ts';

/** Untrusted text with invisible characters marked, for places that isolate its direction. */
export const Visible = ({ text }: { text: string }) => <>{visible(text)}</>;
