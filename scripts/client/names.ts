/** Exceptions to the naming rule. */
const EXCEPTIONS: Record<string, string> = {
  'Users.getMe': 'me',
  'Users.getLoginUrl': 'loginUrl',
  'Newsletters.listVariables': 'variables',
};

/**
 * The name of a method: the operation ID without the noun in the group name. `listProducts` of "Products" is
 * `products.list`, `setOrderStatus` of "Orders" is `orders.setStatus`, `checkout` is `orders.checkout`.
 */
export function methodName(tag: string, operationId: string): string {
  const exception = EXCEPTIONS[`${tag}.${operationId}`];
  if (exception) return exception;
  const plural = tag.replaceAll(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const singular = plural.replace(/ies$/, 'y').replace(/(ss|sh|ch|x)es$|s$/, '$1');
  for (const noun of [plural, singular]) {
    const at = operationId.indexOf(noun);
    const after = operationId[at + noun.length];
    if (at > 0 && (after === undefined || /[A-Z0-9]/.test(after))) {
      return operationId.slice(0, at) + operationId.slice(at + noun.length);
    }
  }
  return operationId;
}
