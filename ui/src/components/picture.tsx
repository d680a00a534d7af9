import { type ReactNode, useState } from 'react';

const WIDTHS = [320, 640, 1600] as const;

type Props = {
  /** "" for none. */
  url: string;
  alt: string;
  /** As in the attribute of an image. */
  sizes: string;
  eager?: boolean;
  fallback?: ReactNode;
  className?: string;
};

/** Picks the width this screen needs. The frame sets the size, so nothing moves on load. */
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
