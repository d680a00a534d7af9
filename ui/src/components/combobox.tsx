import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { FieldDescription } from '@/components/ui/field';
import { InputGroup, InputGroupAddon, InputGroupInput } from '@/components/ui/input-group';
import { isComposing, isEnter } from '@/lib/enter';
import { FormField } from './form-field';

type Props<T> = {
  label: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
  options: readonly T[] | null;
  keyOf: (option: T) => string;
  render: (option: T) => ReactNode;
  onChoose: (option: T) => void;
  listLabel: string;
  /** The state of the search, which screen readers announce. Visible if there is no list. */
  status: string;
  start?: ReactNode;
  end?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
  onBlur?: () => void;
};

/**
 * A text field with suggestions (the ARIA pattern "combobox with list"): arrows move, Enter
 * chooses, Escape closes the list. The list is in the page's flow, so that dialogs do not clip it.
 * In a dialog, pass Escape through `leavesEscape`.
 */
export function Combobox<T>(props: Props<T>) {
  const { label, help, error, placeholder, text, onText, keyOf, render, onChoose, listLabel, status, start, end } = props;
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [closed, setClosed] = useState(false);
  const [marked, setMarked] = useState({ index: 0, byKey: false });
  const options = props.options ?? [];
  const open = !closed && options.length > 0;
  const active = Math.min(marked.index, options.length - 1);
  // Not for the pointer, under which the list would scroll away.
  useEffect(() => {
    if (open && marked.byKey) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [open, active, marked]);
  const choose = (option: T) => {
    setClosed(true);
    onChoose(option);
  };
  const move = (step: number) => {
    setClosed(false);
    const index = open ? (active + step + options.length) % options.length : step > 0 ? 0 : options.length - 1;
    setMarked({ index, byKey: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || options.length === 0) return;
    const option = options[active];
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (isEnter(event) && open && option !== undefined) choose(option);
    else if (event.key === 'Escape' && open) setClosed(true);
    else return;
    event.preventDefault();
  };
  return (
    <div data-slot="combobox" className="grid min-w-0 gap-1.5">
      <FormField label={label} help={help} error={error}>
        {(control) => (
          <InputGroup>
            {start ? <InputGroupAddon>{start}</InputGroupAddon> : null}
            <InputGroupInput
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={open}
              aria-controls={listId}
              aria-activedescendant={open ? `${listId}-${active}` : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={placeholder}
              ref={props.inputRef}
              value={text}
              onChange={(event) => {
                setClosed(false);
                setMarked({ index: 0, byKey: true });
                onText(event.target.value);
              }}
              onKeyDown={onKeyDown}
              onFocus={() => setClosed(false)}
              onBlur={() => {
                setClosed(true);
                props.onBlur?.();
              }}
              {...control}
            />
            {end}
          </InputGroup>
        )}
      </FormField>
      <FieldDescription role="status" aria-live="polite" className={open || status === '' ? 'sr-only' : undefined}>
        {status}
      </FieldDescription>
      <ul
        ref={list}
        id={listId}
        role="listbox"
        aria-label={listLabel}
        className="max-h-61 overflow-y-auto rounded-md border border-border-strong py-1"
        hidden={!open}
      >
        {options.map((option, index) => (
          // The field keeps the focus, and its keys do the same as the pointer.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- they are the field's
          <li
            key={keyOf(option)}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className="flex min-h-12 cursor-pointer items-center gap-3 px-3.5 py-1.5 wrap-anywhere aria-selected:bg-secondary aria-selected:shadow-[inset_3px_0_0_var(--pen)]"
            onPointerMove={() => setMarked({ index, byKey: false })}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {render(option)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** For `onEscapeKeyDown` of a dialog: reports whether Escape is for an open list. */
export function leavesEscape(event: globalThis.KeyboardEvent): boolean {
  return event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
}
