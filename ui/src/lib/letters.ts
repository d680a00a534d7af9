const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts between grapheme clusters: not inside an emoji, a flag or a conjunct. */
export function beginningOf(text: string, most: number): string {
  let left = most;
  for (const { segment, index } of segmenter.segment(text)) {
    left -= Array.from(segment).length;
    if (left < 0) return text.slice(0, index);
  }
  return text;
}
