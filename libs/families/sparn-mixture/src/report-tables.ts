export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

export function tableOf(heads: readonly string[], lines: readonly string[]): string {
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}
