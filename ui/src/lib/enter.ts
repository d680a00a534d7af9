import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

type Pressed = ReactKeyboardEvent | KeyboardEvent;

/** The key code of a key that a phonetic keyboard takes for itself. */
const TAKEN = 229;

/**
 * Whether a phonetic keyboard, such as Avro, is composing a word: its keys, also the Enter that ends the word, are none of the page. Safari ends the
 * composition before that Enter, and says by the key code alone that it was part of it.
 */
export function isComposing(event: Pressed): boolean {
  const pressed = 'nativeEvent' in event ? event.nativeEvent : event;
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return pressed.isComposing || pressed.keyCode === TAKEN;
}

/** Whether Enter was pressed, and not to end a word. */
export function isEnter(event: Pressed): boolean {
  return event.key === 'Enter' && !isComposing(event);
}
