import type { Breakage } from './compare.ts';

/** The text of a version's section in a changelog, without its heading. */
export function sectionOf(changelog: string, version: string): string | null {
  const [, section] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm'));
  return section?.split(/^## /m)[0] ?? null;
}

/** Before 1.0 a new minor version can break clients, afterward only a new major version. */
function canBreak(released: string, version: string): boolean {
  const [old, now] = [released, version].map((each) => each.split('.').map(Number));
  if (now![0] !== old![0]) return now![0]! > old![0]!;
  return now![0] === 0 && now![1]! > old![1]!;
}

/**
 * Returns the breakages that are not allowed: none if the version can break clients and the changelog lists them all.
 */
export function checkBreakages(breakages: Breakage[], released: string, version: string, changelog: string): string[] {
  const isAllowed = canBreak(released, version);
  const section = sectionOf(changelog, version) ?? '';
  return breakages
    .filter(({ subject }) => !isAllowed || !section.includes(`\`${subject}\``))
    .map(({ subject, change }) => `${subject}: ${change}`);
}
