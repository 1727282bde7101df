/** Light or dark: the device's preference, unless the user chose one. */
import { signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';
const KEY = 'admin.theme';
export const theme = signal<Theme>((localStorage.getItem(KEY) as Theme | null) ?? 'auto');

export function chooseTheme(next: Theme): void {
  theme.value = next;
  localStorage.setItem(KEY, next);
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}
chooseTheme(theme.value);
