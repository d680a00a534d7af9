// Runs before the first paint, so that neither theme nor language flashes. A file of its own,
// because the CSP allows no inline script. src/lib/theme.ts and src/i18n/language.ts write these
// keys.
(() => {
  const root = document.documentElement;
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem('theme');
    language = localStorage.getItem('language');
  } catch {
    // Storage may be denied; the system's choice applies.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.toggle('dark', dark);
  if (language === 'bn' || (language !== 'en' && navigator.language.startsWith('bn'))) root.lang = 'bn';
})();

// The browser offers the installation once, at any time. The offer is kept for /notifications, the
// only page that uses it.
addEventListener('beforeinstallprompt', (offer) => {
  offer.preventDefault();
  window.installOffer = offer;
});
