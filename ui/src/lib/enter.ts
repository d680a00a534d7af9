import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

type Pressed = ReactKeyboardEvent | KeyboardEvent;

/** The key code of keys that an input method handles itself. */
const KEY_CODE_COMPOSING = 229;

/**
 * Reports whether an input method such as Avro is composing a word. Its keys, including the Enter
 * that ends the word, are not meant for the page. Safari ends the composition before that Enter,
 * which only its key code gives away.
 */
export function isComposing(event: Pressed): boolean {
  const pressed = 'nativeEvent' in event ? event.nativeEvent : event;
  // oxlint-disable-next-line typescript/no-deprecated
  return pressed.isComposing || pressed.keyCode === KEY_CODE_COMPOSING;
}

/** Reports whether Enter was pressed, other than to end a composed word. */
export function isEnter(event: Pressed): boolean {
  return event.key === 'Enter' && !isComposing(event);
}
