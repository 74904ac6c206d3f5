/** A client may reject a request that its capabilities promise: the server continues. */
export function isGranted(request: Promise<unknown>): Promise<boolean> {
  return request.then(
    () => true,
    () => false,
  );
}
