import { Check } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { useOverlay } from '@/hooks/use-overlay';
import { cn } from '@/lib/cn';
import { MENU } from './overlay';

/** Back closes it on a phone. Not modal: the page stays readable and keeps its scrollbar. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} {...useOverlay(props)} />;
}

export function DropdownMenuTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger data-slot="dropdown-menu-trigger" {...props} />;
}

/** Without a portal, so that the menu stays in its trigger's landmark. */
export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Content
      data-slot="dropdown-menu-content"
      className={cn(MENU, 'max-w-[calc(100vw-16px)] min-w-56 py-1.5', className)}
      sideOffset={8}
      align="end"
      collisionPadding={8}
      {...props}
    />
  );
}

export function DropdownMenuGroup(props: ComponentProps<typeof Primitive.Group>) {
  return <Primitive.Group data-slot="dropdown-menu-group" {...props} />;
}

const item =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 px-4 text-md text-inherit no-underline outline-0 aria-[current]:font-semibold aria-[current]:shadow-none data-disabled:cursor-default data-disabled:text-subtle-foreground data-highlighted:bg-secondary';

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item data-slot="dropdown-menu-item" className={cn(item, className)} {...props} />;
}

export function DropdownMenuCheckboxItem({ className, children, ...props }: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem data-slot="dropdown-menu-checkbox-item" className={cn(item, 'relative pl-11', className)} {...props}>
      <Primitive.ItemIndicator className="absolute left-4">
        <Check className="block size-4" aria-hidden="true" />
      </Primitive.ItemIndicator>
      {children}
    </Primitive.CheckboxItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label data-slot="dropdown-menu-label" className={cn('px-4 pt-2.5 pb-3 leading-[1.35]', className)} {...props} />
  );
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof Primitive.Separator>) {
  return (
    <Primitive.Separator data-slot="dropdown-menu-separator" className={cn('my-1.5 h-px bg-border', className)} {...props} />
  );
}
