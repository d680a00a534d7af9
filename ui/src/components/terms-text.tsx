import { Fragment } from 'react';

/** The name of a page and the words that lead to it, for each of a text: "Read the <terms>Terms</terms>." */
const LINK = /<(\w+)>([^<]*)<\/\w+>/;

/** A text with links to /terms and /privacy. They open beside the page, which keeps what was typed. */
export function TermsText({ text }: { text: string }) {
  const parts = text.split(LINK);
  return parts.map((part, index) => {
    // Each third part is the name of a page, before the words of its link.
    if (index % 3 === 1) return null;
    if (index % 3 === 0) return <Fragment key={index}>{part}</Fragment>;
    return (
      <a key={index} href={`/${parts[index - 1]}`} target="_blank" rel="noopener">
        {part}
      </a>
    );
  });
}
