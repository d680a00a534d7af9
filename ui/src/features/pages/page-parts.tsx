import { Note } from '@/components/khata/note';
import { useTexts } from '@/i18n';
import { pages } from '@/i18n/en/pages';
import type { Block, PageSection, PageText } from '@/i18n/page-text';
import { formatTime } from '@/lib/time';

/** The top of a static page: its title, what it is about, and since when it says so. */
export function PageHead({ text }: { text: PageText }) {
  const t = useTexts(pages);
  return (
    <header className="doc__head">
      <h1 className="d56">{text.title}</h1>
      <p className="lede m measure">{text.lede}</p>
      {text.changed ? (
        <p className="m t14">
          <time dateTime={text.changed}>{t('changed', { day: formatTime(text.changed, 'date') })}</time>
        </p>
      ) : null}
      {text.note ? <Note kind="wait">{text.note}</Note> : null}
    </header>
  );
}

/** The list of what is on the page. */
export function Contents({ sections }: { sections: readonly PageSection[] }) {
  const t = useTexts(pages);
  return (
    <nav className="doc__contents" aria-label={t('contents')}>
      <p className="b">{t('contents')}</p>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Words({ block }: { block: Block }) {
  if (typeof block === 'string') return <p>{block}</p>;
  return (
    <ul>
      {block.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** The sections, each hanging from its matra and with an address of its own. */
export function Sections({ sections }: { sections: readonly PageSection[] }) {
  return sections.map(({ id, title, blocks }) => (
    <section key={id} id={id} className="sec doc__sec" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="d24">
        {title}
      </h2>
      {blocks.map((block, index) => (
        <Words key={index} block={block} />
      ))}
    </section>
  ));
}
