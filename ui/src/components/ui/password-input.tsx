import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTexts } from '@/i18n';
import { password } from '@/i18n/en/password';

/** A password field whose text can be shown: on a phone that saves most of the wrong ones. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const t = useTexts(password);
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="affix" data-invalid={props['aria-invalid'] === true ? '' : undefined}>
      <input className="input" type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} {...props} />
      <button type="button" onClick={() => setShown(!shown)} aria-label={t(shown ? 'hide' : 'show')}>
        <Icon aria-hidden="true" />
      </button>
    </div>
  );
}
