import { failing, loading, opened, refused, type Scene, type Scenes, still } from './scene';
import { admins } from './scenes-admin';
import { app } from './scenes-app';
import { deals } from './scenes-deals';
import { disputes } from './scenes-disputes';
import { moderation } from './scenes-moderation';

const NOBODY = '00000000-0000-7000-8000-000000000000';

/** A login with a second factor, after name and password. */
const secondStep = (name: string, methods: string): Scene => ({
  ...still('visitor', name, '/login'),
  before: (page) =>
    page.route('**/api/auth/login', (route) =>
      route.fulfill({
        status: 401,
        json: { code: 'second_factor_required', reason: 'second_factor_required', message: '', params: { methods } },
      }),
    ),
  act: async (page) => {
    await page.locator('main input').first().fill('rahim');
    await page.locator('main input[type=password]').fill('amanat-demo');
    await page.locator('main form [type=submit]').click();
    await page.locator('main input[type=password]').waitFor({ state: 'detached' });
  },
});

/** All scenes by route. */
export const scenes: Scenes = (demo) => ({
  '/': [still('visitor', 'landing', '/')],
  '/login': [
    still('visitor', 'login', '/login'),
    refused('visitor', 'login-refused', '/login'),
    secondStep('login-second-step', 'totp,passkey,backup'),
    secondStep('login-second-step-passkey', 'passkey,backup'),
    ...moderation(demo).login,
  ],
  '/signup': [still('visitor', 'signup', '/signup'), refused('visitor', 'signup-refused', '/signup')],
  '/referral/$code': [], // to /signup
  '/forgot-password': [
    still('visitor', 'forgot-password', '/forgot-password'),
    refused('visitor', 'forgot-password-refused', '/forgot-password'),
  ],
  '/reset-password': [
    still('visitor', 'reset-password', '/reset-password?token=a-token'),
    still('visitor', 'reset-password-missing', '/reset-password'),
  ],
  '/verify-email': [still('visitor', 'verify-email', '/verify-email?token=spent')],
  '/confirm-withdrawal': [still('visitor', 'confirm-withdrawal', '/confirm-withdrawal?token=spent')],
  '/confirm-email': [still('visitor', 'confirm-email', '/confirm-email?token=spent')],
  '/undo-email': [still('visitor', 'undo-email', '/undo-email?token=spent')],
  '/not-me': [still('visitor', 'not-me', '/not-me?token=spent')],
  '/not-my-factor': [still('visitor', 'not-my-factor', '/not-my-factor?token=spent')],
  '/$': [still('visitor', 'not-found', '/no/such/page'), still('buyer', 'not-found-member', '/no/such/page')],
  '/unsubscribe': [still('visitor', 'unsubscribe', '/unsubscribe?token=spent')],

  '/explore': [
    still('visitor', 'explore', '/explore'),
    still('buyer', 'explore-page-2', '/explore?page=2'),
    still('buyer', 'explore-category', '/explore?category=Physical+Product'),
    still('visitor', 'explore-search', '/explore?search=page'),
    still('visitor', 'explore-none', '/explore?search=submarine'),
    loading('visitor', 'explore', '/explore', '/posts/public*'),
    failing('visitor', 'explore', '/explore', '/posts/public*'),
  ],
  '/posts/$postId': [
    still('visitor', 'post', `/posts/${demo.post}`),
    still('buyer', 'post-buyer', `/posts/${demo.post}`),
    still('seller', 'post-own', `/posts/${demo.post}`),
    still('visitor', 'post-no-picture', `/posts/${demo.bare}`),
    still('visitor', 'post-missing', `/posts/${NOBODY}`),
    loading('visitor', 'post', `/posts/${demo.post}`, `/posts/${demo.post}`),
    ...moderation(demo).post,
  ],
  '/profile/$username': [
    still('visitor', 'person', '/profile/seller'),
    still('visitor', 'person-new', '/profile/rahim'),
    still('visitor', 'person-staff', '/profile/admin'),
    {
      ...{ who: 'visitor', name: 'person-explained', path: '/profile/seller', window: true },
      act: async (page) => {
        const figures = page.locator('[data-slot="explained"] button');
        await figures.nth(2).click();
        await page.getByRole('tooltip').waitFor();
      },
    },
    still('visitor', 'person-missing', '/profile/nobody-of-this-name'),
    loading('visitor', 'person', '/profile/seller', '/auth/profile/*'),
    ...moderation(demo).person,
  ],

  '/aboutus': [still('visitor', 'about', '/aboutus')],
  '/ourleaders': [still('visitor', 'leaders', '/ourleaders')],
  '/papers': [
    still('visitor', 'papers', '/papers'),
    opened('visitor', 'papers-enlarged', '/papers', 'main [aria-haspopup=dialog]'),
  ],
  '/privacy': [still('visitor', 'privacy', '/privacy')],
  '/terms': [still('visitor', 'terms', '/terms')],
  '/contactus': [still('visitor', 'contact', '/contactus'), refused('visitor', 'contact-refused', '/contactus')],
  '/reportabug': [still('visitor', 'bug', '/reportabug'), refused('buyer', 'bug-refused', '/reportabug')],

  ...app(demo),
  ...deals(demo),
  ...disputes(demo),
  ...moderation(demo).routes,

  '/admin': [], // to /admin/dashboard
  '/admin/dashboard': [still('admin', 'admin-dashboard', '/admin/dashboard')],
  ...admins,
  '/admin/deals': [still('admin', 'admin-deals', '/admin/deals')],
  '/admin/corrections': [still('admin', 'admin-corrections', '/admin/corrections')],
  '/admin/chat': [still('admin', 'admin-chat', '/admin/chat')],
  '/admin/notifications': [still('admin', 'admin-notifications', '/admin/notifications')],
  '/admin/bug-reports': [still('admin', 'admin-bugs', '/admin/bug-reports')],
  '/admin/contact-messages': [still('admin', 'admin-contact', '/admin/contact-messages')],
  '/admin/audit': [still('admin', 'admin-audit', '/admin/audit')],
});
