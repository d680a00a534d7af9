import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** Not modal: the page behind stays readable and does not lose its scrollbar. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />;
}

export const DropdownMenuTrigger = Primitive.Trigger;

/** The menu opens beside its trigger in the document, and so within the trigger's landmark. */
export function DropdownMenuContent({
  className,
  sideOffset = 8,
  align = 'end',
  ...props
}: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Content
      data-slot="dropdown-menu"
      className={cn('menu', className)}
      sideOffset={sideOffset}
      align={align}
      collisionPadding={8}
      {...props}
    />
  );
}

/** One line of the menu; `asChild` around a link. */
export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item data-slot="dropdown-menu-item" className={cn('menu__item', className)} {...props} />;
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="menu__line" />;
}
