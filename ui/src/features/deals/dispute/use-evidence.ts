import { useMe } from '@/entities/user/queries';
import { textDraft } from '@/lib/draft';
import { usePictures } from '../delivery/use-pictures';

/** The draft and the pictures of a dispute's form, which are dropped together. */
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
