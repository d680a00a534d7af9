import { ClipboardPaste } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { PaymentMethod } from '@/api/contract';
import { CODE } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { InputGroup, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { transactionIdIn, transactionIdOf } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { notify } from '@/lib/toast';
import type { DepositValues } from '../request/schemas';

type Props = { control: Control<DepositValues>; method: PaymentMethod; error?: string | undefined };

/** The transaction id, typed or pasted; from a whole SMS only the id is taken. */
export function TransactionField({ control, method, error }: Props) {
  const t = useTexts(wallet);
  const { field } = useController({ control, name: 'transactionId' });
  const usual = t(`deposit.usual.${method}`);
  const length = transactionIdOf(field.value).length;
  const pasteText = (text: string) => field.onChange(transactionIdIn(text));
  const paste = async () => {
    try {
      pasteText(await navigator.clipboard.readText());
    } catch {
      notify.error(t('pasteFailed'));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text');
    if (transactionIdIn(text) === text.trim()) return;
    event.preventDefault();
    pasteText(text);
  };
  return (
    <FormField
      label={t('transactionId')}
      aside={t(`deposit.fromSms.${method}`)}
      help={length === 0 ? usual : t('deposit.length', { count: length, usual })}
      error={error}
    >
      {(described) => (
        <InputGroup>
          <InputGroupInput
            className={cn(CODE, 'uppercase')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...described}
            {...field}
            onPaste={onPaste}
          />
          <InputGroupButton onClick={() => void paste()}>
            <ClipboardPaste className="size-4" aria-hidden="true" />
            {t('paste')}
          </InputGroupButton>
        </InputGroup>
      )}
    </FormField>
  );
}
