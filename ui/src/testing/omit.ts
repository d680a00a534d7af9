export function omit<T extends object, K extends keyof T & string>(whole: T, ...names: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}
