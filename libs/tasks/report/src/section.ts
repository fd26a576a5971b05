/** One section of the page; all three are markup. */
export function section(title: string, explained: string, body: string): string {
  return `<section><h2>${title}</h2><p class="note">${explained}</p>${body}</section>`;
}
