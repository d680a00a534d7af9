import { useTexts } from '@/i18n';
import { proof } from '@/i18n/en/deal-links';
import { Note } from './note';

/** Where a public page proves something: a picture of it can say anything. */
export function AddressNote({ path }: { path: string }) {
  const t = useTexts(proof);
  return (
    <Note title={t('check')}>
      <p>{t('checkText')}</p>
      <p className="mt-2 font-semibold wrap-anywhere" lang="en">
        {`${window.location.origin}${path}`}
      </p>
    </Note>
  );
}
