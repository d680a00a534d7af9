import { type ComponentProps, type ComponentType, type ReactElement, useEffect, useState } from 'react';
import { useLatePart } from '@/hooks/use-late-part';
import { prefetch } from '@/lib/prefetch';

/** What a menu that is loaded late is given: its button. It is opened as soon as it is mounted. */
export type MenuProps = { trigger: ReactElement };

type Props<P extends object> = ComponentProps<'button'> & {
  /** Imports the menu. The same function in each render. */
  load: () => Promise<{ default: ComponentType<P & MenuProps> }>;
  /** Whether the code is fetched when the page is idle; where there are many such buttons, it is not. */
  ahead?: boolean;
} & (object extends P ? { menu?: P } : { menu: P });

const IDLE = 2_000;

/**
 * The button of a menu. The menu's code, with all that places and moves it, is loaded when the page is idle or the button is about to be pressed; it takes
 * the button's place with the first press. `menu` is what the menu needs beside its button.
 */
export function LazyMenu<P extends object = object>({ load, ahead = true, menu, ...button }: Props<P>) {
  const [pressed, setPressed] = useState(false);
  const late = useLatePart(load, pressed, () => setPressed(false));
  useEffect(() => {
    if (!ahead) return;
    const idle = setTimeout(() => prefetch(load()), IDLE);
    return () => clearTimeout(idle);
  }, [load, ahead]);
  const preload = () => prefetch(load());
  const waiting = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setPressed(true)}
      {...button}
      onKeyDown={(event) => {
        button.onKeyDown?.(event);
        if (event.key !== 'ArrowDown') return;
        event.preventDefault(); // the page does not scroll
        setPressed(true);
      }}
    />
  );
  if (!late) return waiting;
  const props = { ...menu, trigger: <button type="button" {...button} /> } as P & MenuProps;
  return <late.Part {...props} />;
}
