import { OctagonAlert } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { Label, labelStyles } from './label';

const field = 'grid min-w-0 content-start gap-1.5';

export function Field({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="field" className={cn(field, className)} {...props} />;
}

/** Controls of one question, the legend. */
export function FieldSet({ className, ...props }: ComponentProps<'fieldset'>) {
  return <fieldset data-slot="field-set" className={cn(field, className)} {...props} />;
}

export function FieldLegend({ className, ...props }: ComponentProps<'legend'>) {
  return <legend data-slot="field-legend" className={cn(labelStyles, className)} {...props} />;
}

export function FieldLabel(props: ComponentProps<'label'>) {
  return <Label data-slot="field-label" {...props} />;
}

/** The title of a field without a single control to label. */
export function FieldTitle({ className, ...props }: ComponentProps<'span'>) {
  return <span data-slot="field-title" className={cn(labelStyles, className)} {...props} />;
}

export function FieldDescription({ className, ...props }: ComponentProps<'p'>) {
  return <p data-slot="field-description" className={cn('text-sm text-muted-foreground', className)} {...props} />;
}

/** Not an alert: a toast or FormField's live region announces it. */
export function FieldError({ className, children, ...props }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="field-error"
      className={cn('flex items-start gap-1.5 text-sm font-semibold text-destructive', className)}
      {...props}
    >
      <OctagonAlert className="mt-0.5 size-4" aria-hidden="true" />
      {children}
    </p>
  );
}
