import { useState } from 'react';
import { downscale, isPicture, UnreadablePictureError } from '@/lib/pictures';
import { notify } from '@/lib/toast';

type Texts = { /** 'Please select an image file!' */ notImage: string; unreadable: string };

/** Scales a chosen file down and passes it on as a data URL, or reports why it cannot. */
export function usePicture(max: number, texts: Texts, onPicture: (dataUrl: string) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const refuse = (text: string) => {
    setError(text);
    notify.error(text);
  };
  const choose = async (file: File) => {
    setError(undefined);
    if (!isPicture(file)) {
      refuse(texts.notImage);
      return;
    }
    setBusy(true);
    try {
      onPicture(await downscale(file, { max }));
    } catch (cause) {
      if (!(cause instanceof UnreadablePictureError)) throw cause;
      refuse(texts.unreadable);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, choose: (file: File) => void choose(file) };
}
