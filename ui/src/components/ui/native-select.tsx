import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { control } from './input';

const arrow =
  'appearance-none bg-[linear-gradient(45deg,transparent_50%,currentColor_50%),linear-gradient(-45deg,transparent_50%,currentColor_50%)] ' +
  'bg-size-[6px_6px] bg-position-[calc(100%-20px)_21px,calc(100%-14px)_21px] bg-no-repeat pr-10 disabled:bg-none';

/** The platform's own select, whose picker suits phones best. */
export function NativeSelect({ className, ...props }: ComponentProps<'select'>) {
  return <select data-slot="native-select" className={cn(control, arrow, className)} {...props} />;
}
