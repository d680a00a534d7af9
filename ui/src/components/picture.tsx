import { type ReactNode, useState } from 'react';

/** The widths that the server keeps of a picture. */
const WIDTHS = [320, 640, 1600] as const;

type Props = {
  /** A picture's URL, "" for none. */
  url: string;
  alt: string;
  /** How wide it is shown, as in the attribute of an image. */
  sizes: string;
  /** On the first screen: loaded at once instead of when it comes near. */
  eager?: boolean;
  /** Where there is no picture, or it does not come. */
  fallback?: ReactNode;
  className?: string;
};

/** A picture in the width that this screen needs. The frame around it has the size: nothing moves when it arrives. */
export function Picture({ url, alt, sizes, eager = false, fallback = null, className }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  if (url === '' || failed === url) return fallback;
  return (
    <img
      data-slot="picture"
      className={className}
      src={`${url}?w=640`}
      srcSet={WIDTHS.map((width) => `${url}?w=${width} ${width}w`).join(', ')}
      sizes={sizes}
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailed(url)}
    />
  );
}
