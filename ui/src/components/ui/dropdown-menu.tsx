import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

export const DropdownMenu = Primitive.Root;
export const DropdownMenuTrigger = Primitive.Trigger;

export function DropdownMenuContent({
  className,
  sideOffset = 8,
  align = 'end',
  ...props
}: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        data-slot="dropdown-menu"
        className={cn('menu', className)}
        sideOffset={sideOffset}
        align={align}
        collisionPadding={8}
        {...props}
      />
    </Primitive.Portal>
  );
}

/** One line of the menu; `asChild` around a link. */
export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item data-slot="dropdown-menu-item" className={cn('menu__item', className)} {...props} />;
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="menu__line" />;
}
