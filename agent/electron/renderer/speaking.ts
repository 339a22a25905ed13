import { createContext, useContext } from 'react';
import { createSpeaker, type Speaker } from '../words/speaker.ts';

/** Until the app has said which locale it is. */
export const defaultSpeaker = createSpeaker('en-GB');

export const Speaking = createContext<Speaker>(defaultSpeaker);

export const useSpeaker = (): Speaker => useContext(Speaking);
