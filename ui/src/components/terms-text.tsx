import { Fragment } from 'react';

/** A link in a text: "Read the <terms>Terms</terms>." */
const LINK = /<(\w+)>([^<]*)<\/\w+>/;

/** A text with links to /terms and /privacy. They open in a new tab, so that input is kept. */
export function TermsText({ text }: { text: string }) {
  const parts = text.split(LINK);
  return parts.map((part, index) => {
    // The split repeats text, page name, link text.
    if (index % 3 === 1) return null;
    if (index % 3 === 0) return <Fragment key={index}>{part}</Fragment>;
    return (
      <a key={index} href={`/${parts[index - 1]}`} target="_blank" rel="noopener">
        {part}
      </a>
    );
  });
}
