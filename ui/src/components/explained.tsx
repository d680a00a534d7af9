import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

/** A finger only enters while it taps, which is a click. */
const byMouse = (event: PointerEvent) => event.pointerType === 'mouse';

/** The open state. Leaving with pointer or focus closes it, as does Escape. */
function useOpen() {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!open) return;
    const onPointer = ({ target }: globalThis.PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return { box, open, setOpen };
}

/**
 * A label with an explanation on hover, keyboard focus or tap. The text is below the surrounding
 * line, which must be `relative`, and as wide. Screen readers read it after the label.
 */
export function Explained({ children, text }: { children: ReactNode; text: string }) {
  const id = useId();
  const { box, open, setOpen } = useOpen();
  return (
    <span
      ref={box}
      data-slot="explained"
      onPointerEnter={(event) => {
        if (byMouse(event)) setOpen(true);
      }}
      onPointerLeave={(event) => {
        if (byMouse(event)) setOpen(false);
      }}
    >
      <button
        type="button"
        aria-describedby={id}
        className="-my-2.5 min-h-11 cursor-help py-2.5 text-start whitespace-nowrap underline decoration-dotted underline-offset-4 hover:text-foreground"
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        // Safari does not focus buttons.
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        hidden={!open}
        className="absolute inset-x-0 top-full z-10 border border-border-strong bg-popover p-3 text-start text-sm text-popover-foreground shadow-overlay"
      >
        {text}
      </span>
    </span>
  );
}
