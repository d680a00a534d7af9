import { type ComponentProps, type ComponentType, type ReactElement, useEffect, useState } from 'react';
import { useLatePart } from '@/hooks/use-late-part';
import { preload } from '@/lib/prefetch';

/** The button of a menu that is loaded late and opens on mount. */
export type MenuProps = { trigger: ReactElement };

type Props<P extends object> = ComponentProps<'button'> & {
  load: () => Promise<{ default: ComponentType<P & MenuProps> }>;
  /** Loads the code while the page is idle; set false if there are many such buttons. */
  ahead?: boolean;
} & (object extends P ? { menu?: P } : { menu: P });

const IDLE = 2_000;

/**
 * The button of a menu whose code loads while the page is idle, or just before the first press. The
 * menu then replaces the button. `menu` contains the menu's other props.
 */
export function LazyMenu<P extends object = object>({ load, ahead = true, menu, ...button }: Props<P>) {
  const [pressed, setPressed] = useState(false);
  const late = useLatePart(load, pressed, () => setPressed(false));
  useEffect(() => {
    if (!ahead) return;
    const idle = setTimeout(() => preload(load), IDLE);
    return () => clearTimeout(idle);
  }, [load, ahead]);
  const soon = () => preload(load);
  const waiting = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={soon}
      onFocus={soon}
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
