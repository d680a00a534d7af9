/** The mark on a button that moves money. The symbol is in index.html. */
export function SealMark() {
  return (
    <svg className="seal" aria-hidden="true">
      <use href="#seal" />
    </svg>
  );
}
