/** As a rule writes the name of a column: in quotes where it could be read as something else. */
export function nameInRule(name: string): string {
  return /^[\p{L}_][^\s"'<>=!(),]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
