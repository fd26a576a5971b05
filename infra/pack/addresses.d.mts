export function addressesOf(
  manifest: { readonly repository?: string | { readonly url: string } | undefined; readonly version: string },
  built: { readonly repository: string; readonly tag: string },
): { version: string; images: string; charts: string };
