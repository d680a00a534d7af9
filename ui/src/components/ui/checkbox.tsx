import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react';
import { cn } from '@/lib/cn';

export const box =
  'mt-px grid size-5.5 flex-none appearance-none place-items-center border-[1.5px] border-input bg-background checked:border-primary checked:bg-primary ' +
  'disabled:cursor-not-allowed disabled:border-border disabled:bg-secondary disabled:checked:border-subtle-foreground disabled:checked:bg-subtle-foreground';

type Props = Omit<ComponentProps<'input'>, 'checked'> & {
  /** `indeterminate`: some are checked, as in a table's header. */
  checked?: boolean | 'indeterminate' | undefined;
  /** For components of the registry; forms use `onChange`. */
  onCheckedChange?: (checked: boolean) => void;
};

export function Checkbox({ className, checked, onChange, onCheckedChange, ref, ...props }: Props) {
  const own = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => own.current);
  const some = checked === 'indeterminate';
  useEffect(() => {
    // It has no attribute.
    if (own.current) own.current.indeterminate = some;
  }, [some]);
  return (
    <input
      type="checkbox"
      data-slot="checkbox"
      ref={own}
      checked={some ? false : checked}
      onChange={
        onCheckedChange
          ? (event) => {
              onChange?.(event);
              onCheckedChange(event.target.checked);
            }
          : onChange
      }
      className={cn(
        box,
        'rounded-xs checked:after:h-2.75 checked:after:w-1.5 checked:after:-translate-y-px checked:after:rotate-42 checked:after:border-r-[2.5px] checked:after:border-b-[2.5px] checked:after:border-background',
        'indeterminate:border-primary indeterminate:bg-primary indeterminate:after:h-0.5 indeterminate:after:w-2.5 indeterminate:after:bg-background',
        className,
      )}
      {...props}
    />
  );
}
