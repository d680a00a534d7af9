import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { InputGroup, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { useTexts } from '@/i18n';
import { password } from '@/i18n/en/common';

export function PasswordInput(props: ComponentProps<'input'>) {
  const t = useTexts(password);
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <InputGroup>
      <InputGroupInput type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} {...props} />
      <InputGroupButton onClick={() => setShown(!shown)} aria-label={t(shown ? 'hide' : 'show')}>
        <Icon aria-hidden="true" />
      </InputGroupButton>
    </InputGroup>
  );
}
