import { texts } from '../texts';

/** docs/rules.md#categories */
export const categories = texts('categories', {
  'category.Freelance Service': 'Freelance Service',
  'category.Physical Product': 'Physical Product',
  'category.Online Asset': 'Online Asset',
  'sub.Logo Design': 'Logo Design',
  'sub.Web Development': 'Web Development',
  'sub.Writing': 'Writing',
  'sub.Marketing': 'Marketing',
  'sub.Mobile Phone': 'Mobile Phone',
  'sub.Laptop': 'Laptop',
  'sub.Hand Watch': 'Hand Watch',
  'sub.Election Gadget': 'Election Gadget',
  'sub.T-Shirts': 'T-Shirts',
  'sub.Books': 'Books',
  'sub.Electronic Part': 'Electronic Part',
  'sub.Home Decor': 'Home Decor',
  'sub.YouTube Channel': 'YouTube Channel',
  'sub.Instagram Page': 'Instagram Page',
  'sub.Website': 'Website',
  'sub.Ebook': 'Ebook',
  'sub.Facebook Page': 'Facebook Page',
  'sub.Domain Name': 'Domain Name',
  'sub.Game Id': 'Game Id',
});
