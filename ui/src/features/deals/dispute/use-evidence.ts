import { useMe } from '@/entities/user/queries';
import { textDraft } from '@/lib/draft';
import { usePictures } from '../delivery/use-pictures';

/** What goes with a form of a dispute: its draft for the tab, and the pictures, which are dropped together. */
export function useEvidence(form: 'open' | 'answer' | 'message', dealId: string, failure: unknown) {
  const me = useMe();
  const pictures = usePictures('dispute', dealId, failure);
  const words = textDraft(`dispute-${form}:${me._id}:${dealId}`);
  return {
    pictures,
    draft: {
      ...words,
      drop: () => {
        words.drop();
        pictures.drop();
      },
    },
  };
}
