import { visible } from '../visible.ts';
import './json.css';

/** Untrusted text: isolated from the surrounding text direction, with invisible characters marked. */
export const Text = ({ children }: { children: string }) => <bdi>{visible(children)}</bdi>;
