/** The object without these of its fields. */
export function omit<T extends object, K extends keyof T>(whole: T, ...names: K[]): Omit<T, K> {
  const rest = { ...whole };
  for (const name of names) delete rest[name];
  return rest;
}
