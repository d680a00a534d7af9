const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text, of at most so many characters, cut between letters as readers see them: not inside an emoji, a flag or a conjunct. */
export function beginningOf(text: string, most: number): string {
  let left = most;
  for (const { segment, index } of segmenter.segment(text)) {
    left -= Array.from(segment).length;
    if (left < 0) return text.slice(0, index);
  }
  return text;
}
