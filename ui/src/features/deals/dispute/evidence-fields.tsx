import type { ReactNode } from 'react';
import { type Control, type FieldValues, type Path, useController, useWatch } from 'react-hook-form';
import { FormField } from '@/components/form-field';
import { Textarea } from '@/components/ui/textarea';
import { useTexts } from '@/i18n';
import { dispute } from '@/i18n/en/dispute';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { MAX_LENGTH, MAX_LINKS } from './evidence-schema';

const COUNTER_FROM = MAX_LENGTH - 300;

const PREFIX = 'https://';

type Props<V extends FieldValues> = { control: Control<V>; error: string | undefined };

export function TextField<V extends FieldValues>({
  control,
  error,
  label,
  help,
  rows = 5,
}: Props<V> & { label: string; help?: ReactNode; rows?: number }) {
  const name = 'text' as Path<V>;
  const { field } = useController({ control, name });
  const written = lengthOf(String(useWatch({ control, name })).trim());
  return (
    <FormField
      label={label}
      help={help}
      error={error}
      aside={written > COUNTER_FROM ? `${count(written)}/${count(MAX_LENGTH)}` : undefined}
    >
      {(described) => <Textarea rows={rows} {...described} {...field} />}
    </FormField>
  );
}

export function LinksField<V extends FieldValues>({ control, error }: Props<V>) {
  const t = useTexts(dispute);
  const { field } = useController({ control, name: 'links' as Path<V> });
  return (
    <FormField label={t('links')} aside={t('optional')} help={t('linksHelp', { most: MAX_LINKS })} error={error}>
      {(described) => (
        <Textarea
          rows={2}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={PREFIX}
          {...described}
          {...field}
        />
      )}
    </FormField>
  );
}
