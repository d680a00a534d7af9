// Runs before the first paint, so that neither the theme nor the language flashes. An external file because the
// page's Content-Security-Policy allows no inline script. src/lib/theme.ts and src/i18n/language.ts write these keys.
(() => {
  const root = document.documentElement;
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem('theme');
    language = localStorage.getItem('language');
  } catch {
    // Storage can be forbidden; the system's choice stands then.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.toggle('dark', dark);
  if (language === 'bn' || (language !== 'en' && navigator.language.startsWith('bn'))) root.lang = 'bn';
})();

// The browser offers to install the site once, at a time of its own. The offer is kept: it is made on /notifications, and nowhere else.
addEventListener('beforeinstallprompt', (offer) => {
  offer.preventDefault();
  window.installOffer = offer;
});
