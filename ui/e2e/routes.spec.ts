import { builtRoutes, routesFor } from './support/routes';
import { expect, test } from './support/test';

test('every route is in the list that the other tests go through', () => {
  const known = routesFor('visitors', 'everybody', 'users', 'admins');
  expect([...known].sort()).toEqual(builtRoutes().sort());
});
